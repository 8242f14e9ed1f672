"""Games at the terminal: take a seat, look on, look again."""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

import laffa
from laffa import players
from laffa.checks import check_count
from laffa.fields import OPTIONS
from laffa.rules import Rules
from laffa.table import end_text, streak_text
from laffa_train.meta import write_json
from laffa_train.options import VARIANT, Seed, Sets, Variant, load_rules, make_player

RECORD = "laffa replay 1"
"""First value of a recording, so that other JSON files are told apart."""

KEYS = {"variant": str, "version": int, "options": dict, "seed": int, "episode": str, "max_hands": int | None, "deals": list, "actions": list}
"""What a recording must hold to be played again."""

Episode = Annotated[str, typer.Option(help="match, or hand for a single one.")]
Save = Annotated[Path | None, typer.Option(metavar="FILE.json", help="Record the game for `laffa replay`.")]
Delay = Annotated[float, typer.Option(help="Seconds to wait after each action.")]


class Game:
    """A game under way: what is needed to show it, to go on, and to record it."""

    def __init__(self, rules: Rules, seed: int, episode: str = "match", max_hands: int | None = None, names: list[str] | None = None) -> None:
        self.rules = rules
        self.env = laffa.env(rules, episode=episode, max_hands=max_hands)
        self.env.reset(seed=seed)
        self.snapshot = self.env.snapshot()
        self.record: dict[str, Any] = {
            "file": RECORD,
            "laffa": laffa.__version__,
            "variant": rules.origin,
            "version": rules.version,
            "options": rules.options,
            "seed": seed,
            "episode": episode,
            "max_hands": max_hands,
            "players": names,
            "deals": [_dealt(self.snapshot)],
            "actions": [],
        }

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.env.terminations["player_0"] or self.env.truncations["player_0"]

    @property
    def seat(self) -> int:
        """The seat to act."""
        return self.snapshot["turn"]

    def show(self, seat: int | None = None) -> str:
        """The table as one seat sees it, or with all hands open."""
        return self.env.table(seat)

    def choices(self) -> dict[str, str]:
        """Legal actions by what stands for them: of a bid its number, of a suit its letter, else the place in the list."""
        mask = self.env.observe(self.env.agent_selection)["action_mask"]
        texts = [laffa.action_text(self.rules, int(action)) for action in mask.nonzero()[0]]
        # A place in the list must not mean one bid while its number means another, so calls go by what is called.
        return {"0" if text == "pass" else text.partition(" ")[2] or str(place): text for place, text in enumerate(texts, 1)}

    def step(self, text: str) -> list[str]:
        """Play an action by its text; lines that say what came of it."""
        seat, before = self.seat, self.snapshot
        self.env.step(laffa.action_id(self.rules, text))
        self.record["actions"].append([seat, text])
        self.snapshot = after = self.env.snapshot()
        if not after["history"]:
            self.record["deals"].append(_dealt(after))
        # What is announced in secret is not said at the table (T42).
        lines = [f"player_{seat}: {'silent' if self.rules.deferred and text == 'declare' else text}"]
        if len(after["tricks"]) > len(before["tricks"]):
            lines.append(f"player_{after['tricks'][-1][2]} takes the trick")
        if after["hands_played"] > before["hands_played"]:
            lines.append(hand_text(after))
        elif after["passed_deals"] > before["passed_deals"]:
            lines.append("all four pass: the deal does not count")
        return lines


def _dealt(view: dict[str, Any]) -> list[list[str]]:
    """The cards of a fresh deal: four hands, and the stock where there is one."""
    return [*view["hands"], *([view["undealt"]] if view["undealt"] else [])]


def hand_text(view: dict[str, Any]) -> str:
    """The last counted hand of a snapshot in one line."""
    last, (us, them) = view["last_hand"], view["scores"]
    contract = last["contract"]
    tricks, points = (" to ".join(map(str, last[key])) for key in ("tricks", "scores"))
    if contract is None:
        return f"game {view['hands_played']}: tricks {tricks}" + (end_text(view) if view["phase"] == "over" else f"; {streak_text(view)}")
    made = "made" if last["made"] else "failed"
    number = "" if contract["value"] is None else f"{contract['value']} "
    call = f"{number}{contract['trump']} by player_{contract['seat']} {made}"
    return f"hand {view['hands_played']}: {call}, tricks {tricks}, points {points}; the match stands {us} to {them}"


def play(
    variant: Variant = VARIANT,
    changes: Sets = None,
    seat: Annotated[int, typer.Option(help="Your seat, 0 to 3; your partner sits opposite.")] = 0,
    partner: Annotated[str, typer.Option(help="Your partner: a player's name or a checkpoint.")] = "heuristic",
    opponents: Annotated[str, typer.Option(help="The other side.")] = "heuristic",
    seed: Seed = 0,
    episode: Episode = "match",
    save: Save = None,
) -> None:
    """Take a seat. Type an action or its number; quit or the end of input leaves the game."""
    check_count("--seat", seat, 0, 3)
    rules = load_rules(variant, changes)
    others = {name: make_player(name, rules, seed) for name in (partner, opponents)}
    names = [partner if place % 2 == seat % 2 else opponents for place in range(4)]
    names[seat] = "human"
    game = Game(rules, seed, episode, None, names)
    typer.echo(f"You are player_{seat}, with player_{(seat + 2) % 4} against the others. Type an action or its number; quit leaves the game.\n")
    while not game.over:
        if game.seat == seat:
            text = ask(game)
            if text is None:
                typer.echo("\nYou left the game.")
                break
        else:
            text = answer(game, others[names[game.seat]])
        _say(game.step(text))
    _finish(game, save)


def ask(game: Game) -> str | None:
    """The human's next action, asked for until it is legal; None to leave."""
    choices = game.choices()
    typer.echo("\n" + game.show(game.seat))
    typer.echo("  ".join(f"[{key}] {text}" for key, text in choices.items()))
    by_text = {text.lower(): text for text in choices.values()}
    while True:
        sys.stdout.write(f"player_{game.seat}> ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        word = " ".join(line.lower().split())
        if not line or word in ("quit", "exit", "q"):
            return None
        text = choices.get(word.upper()) or by_text.get(word)
        if text is not None:
            return text
        if word:
            typer.echo(f"{word!r} is not possible here; type one of: {', '.join(choices.values())}")


def answer(game: Game, player: players.Player) -> str:
    """The action of a player who is a program."""
    return laffa.action_text(game.rules, int(player.act(game.env.turn())[0]))


def watch(
    names: Annotated[list[str] | None, typer.Argument(metavar="[PLAYER ...]", help="One for all, two for the sides, or four for the seats.")] = None,
    variant: Variant = VARIANT,
    changes: Sets = None,
    seed: Seed = 0,
    hands: Annotated[int, typer.Option(help="Hands to show; 0 for the whole match.")] = 1,
    delay: Delay = 0.0,
    save: Save = None,
) -> None:
    """Look on while programs play, all hands open."""
    rules, seats = load_rules(variant, changes), seat_names(names or ["heuristic"])
    check_count("--hands", hands, 0)
    _check_delay(delay)
    made = {name: make_player(name, rules, seed) for name in seats}
    game = Game(rules, seed, "match", hands or None, seats)
    while not game.over:
        typer.echo(game.show() + "\n")
        _say(game.step(answer(game, made[seats[game.seat]])))
        typer.echo()
        time.sleep(delay)
    _finish(game, save)


def seat_names(names: list[str]) -> list[str]:
    """Players for the four seats from one, two or four names."""
    if len(names) not in (1, 2, 4):
        raise ValueError(f"{len(names)} players are not possible; name one for all, two for the sides, or four for the seats")
    return (names * 4)[:4]


def replay(file: Annotated[Path, typer.Argument(metavar="FILE.json", help="What `--save` wrote.")], delay: Delay = 0.0) -> None:
    """Show a recorded game again. Every action in it is checked first."""
    _check_delay(delay)
    for block in list(walk(read_record(file), str(file))):  # nothing is shown of a recording that turns out to be false
        typer.echo(block)
        time.sleep(delay)


def read_record(path: Path) -> dict[str, Any]:
    """A recording with the keys and types it must have."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise ValueError(f"{path} is not a recorded game: it holds no JSON") from None
    if not isinstance(record, dict) or record.get("file") != RECORD:
        raise ValueError(f"{path} is not a recorded game: it does not begin with {RECORD!r}")
    for key, kind in KEYS.items():
        if key not in record or not isinstance(record[key], kind) or isinstance(record[key], bool):
            raise ValueError(f"{path} is not a recorded game: {key} is missing or of the wrong kind")
    return record


def walk(record: dict[str, Any], name: str) -> Iterator[str]:
    """Blocks of text, one for each position of a recording.

    Raises:
        ValueError: for an action that is not legal or cards other than those recorded.
    """
    options = {key: value for key, value in record["options"].items() if key in OPTIONS}
    rules = laffa.load(record["variant"], **options)
    if rules.version != record["version"] or options != record["options"]:
        raise ValueError(f"{name} was recorded under other rules than {rules.variant} has here, version {rules.version}")
    game = Game(rules, record["seed"], record["episode"], record["max_hands"])
    yield game.show()
    for place, entry in enumerate(record["actions"]):
        try:
            yield "\n".join(_step_again(game, entry)) + "\n\n" + game.show()
        except ValueError as error:
            raise ValueError(f"{name}, action {place}: {error}") from None
        if game.record["deals"] != record["deals"][: len(game.record["deals"])]:
            raise ValueError(f"{name}, action {place}: the cards are not those that were recorded")
    if game.record["deals"] != record["deals"]:
        raise ValueError(f"{name}: the cards are not those that were recorded")


def _step_again(game: Game, entry: Any) -> list[str]:
    """Play one entry [seat, text] of a recording."""
    if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[1], str):
        raise ValueError(f"{entry!r} is not a seat and an action")
    if game.over:
        raise ValueError("the game is over by then")
    if entry[0] != game.seat:
        raise ValueError(f"it is player_{game.seat}'s turn, not that of {entry[0]!r}")
    return game.step(entry[1])


def _check_delay(delay: float) -> None:
    if not 0 <= delay <= 3600:
        raise ValueError(f"--delay {delay:g} is not possible; it takes seconds from 0 to 3600")


def _say(lines: list[str]) -> None:
    for line in lines:
        typer.echo(line)


def _finish(game: Game, save: Path | None) -> None:
    """The last position, and the recording if one is wanted."""
    if game.over:
        typer.echo("\n" + game.show())
    if save is not None:
        write_json(save, game.record)
        typer.echo(f"Written: {save}", err=True)
