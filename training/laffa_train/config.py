"""Settings of a training run: one typed dataclass, a sentence a field, checked strictly.

A TOML file says only what differs from the defaults. Every error is one sentence that names the
setting and what it takes. `docs()` is what `--help` and the documentation print.
"""

import tomllib
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

from laffa.checks import EPISODES, REWARDS
from laffa.fields import OPTIONS
from laffa.options import Choice, Flag, Number, OneOf, hint
from laffa.players import PLAYERS
from laffa.rules import Rules, load


class ConfigError(ValueError):
    """A setting that cannot be."""


class Real(NamedTuple):
    """A number from `low` to `high`; `optional` ones may be None, which switches the setting off."""

    low: float
    high: float
    optional: bool = False

    def check(self, value: Any) -> bool:
        """Whether `value` is a number in range; NaN is not."""
        number = type(value) in (int, float) and self.low <= value <= self.high
        return number or (self.optional and value is None)

    def __str__(self) -> str:
        return f"a number from {self.low:g} to {self.high:g}" + (", or none to switch it off" if self.optional else "")


class Variant(NamedTuple):
    """The id of a game."""

    def check(self, value: Any) -> bool:
        """Whether `value` is text; `Config` then loads the rules, which knows the ids."""
        return isinstance(value, str)

    def __str__(self) -> str:
        return "the id of a variant"


class Ids(NamedTuple):
    """Any number of ids of games."""

    def check(self, value: Any) -> bool:
        """Whether `value` is a list of texts; `Config` then loads the rules, which knows the ids."""
        return isinstance(value, (tuple, list)) and all(isinstance(name, str) for name in value)

    def __str__(self) -> str:
        return "a list of ids of variants"


class Options(NamedTuple):
    """Options of the variant by name."""

    def check(self, value: Any) -> bool:
        """Whether `value` is a table; `Config` then loads the rules, which knows the options."""
        return isinstance(value, dict)

    def __str__(self) -> str:
        return "a table of options of the variant"


class Words(NamedTuple):
    """Any number of words out of a few."""

    words: tuple[str, ...]

    def check(self, value: Any) -> bool:
        """Whether `value` is a tuple or list of the words, none twice."""
        return isinstance(value, (tuple, list)) and len(set(value)) == len(value) and set(value) <= set(self.words)

    def __str__(self) -> str:
        return f"a list of {', '.join(map(repr, self.words))}"


Weight = Real(0, 10)


@dataclass(frozen=True)
class Config:
    """Everything that a training run depends on."""

    variant: Annotated[str, Variant(), "Game to learn: an id, or the path of a TOML file of one's own."] = "tarneeb-koutchina"
    more_variants: Annotated[tuple[str, ...], Ids(), "Further games that the same network learns at the same time, in equal shares."] = ()
    rules: Annotated[dict[str, Any], Options(), "Options of the variant that differ from its file."] = field(default_factory=dict)
    seed: Annotated[int, Number(0, 2**62 - 1), "Fixes the deals, the weights at the start and every sampled action."] = 0
    minutes: Annotated[float | None, Real(0.001, 1e6, True), "Minutes of wall time after which training ends, evaluations included."] = None
    decisions: Annotated[int | None, Number(1, 10**15, True), "Decisions of the engine after which training ends; bitwise repeatable."] = None
    episode: Annotated[str, Choice(EPISODES), "Self-play in whole matches, so that scores near the target are seen, or in single hands."] = "match"
    reward: Annotated[str, Choice(REWARDS), "What is learnt: the score difference of a hand, or who wins the episode."] = "score"
    games: Annotated[int, Number(1, 10**6), "Games played side by side."] = 512
    steps: Annotated[int, Number(1, 10**4), "Decisions in each game between two updates."] = 64
    made_up: Annotated[
        int,
        Number(0, 10**15),
        "First decisions with auctions made up by chance, so that cards are learnt before calls: half of them all, then fewer.",
    ] = 1_500_000
    explore_calls: Annotated[
        float,
        Real(0, 0.5),
        "Calls of chance are learnt from too, bad ones while the policy makes them more often than this; 0 learns from none of them.",
    ] = 0.05
    low_bids: Annotated[float, Weight, "How much less likely each bid is at the start than the next lower one, as a difference of logits."] = 1.0
    width: Annotated[int, Number(1, 8192), "Units of a hidden layer."] = 256
    layers: Annotated[int, Number(1, 16), "Number of hidden layers."] = 2
    critic: Annotated[str, Choice(("own", "central")), "Whether the critic sees what the seat sees, or all four hands."] = "central"
    epochs: Annotated[int, Number(1, 100), "Passes over each rollout."] = 2
    critic_epochs: Annotated[int, Number(1, 100), "In how many of these passes the critic learns too."] = 1
    minibatch: Annotated[int, Number(1, 10**7), "Decisions in one gradient step."] = 2048
    lr: Annotated[float, Real(0, 1), "Learning rate of Adam at the start."] = 2e-3
    lr_end: Annotated[float, Real(0, 1), "Learning rate at the end; every schedule is linear over the budget."] = 0.0
    entropy_calls: Annotated[float, Weight, "Weight of the entropy of bids and trumps at the start."] = 0.05
    entropy_calls_end: Annotated[float, Weight, "The same at the end."] = 0.005
    entropy_cards: Annotated[float, Weight, "Weight of the entropy of cards at the start."] = 0.01
    entropy_cards_end: Annotated[float, Weight, "The same at the end."] = 0.001
    gae_lambda: Annotated[float, Real(0, 1), "Lambda of generalised advantage estimation along a seat's own decisions."] = 0.6
    clip: Annotated[float, Real(0.001, 10), "How far the probability ratio may leave 1."] = 0.2
    reward_scale: Annotated[
        float,
        Real(1e-6, 1e6),
        "Scores are multiplied by this constant, card points by 13 / 120 as well, in Tarabish by 13 / 162, of 36 tricks by 13 / 36, of 9 by 13 / 9.",
    ] = 0.1
    max_grad_norm: Annotated[float, Real(1e-6, 1e6), "Longest gradient of each network."] = 1.0
    average: Annotated[float, Real(0, 0.99999), "Decay a gradient step of the weights' average that is released; 0 releases them as they are."] = 0.0
    device: Annotated[str, Choice(("auto", "cpu", "cuda")), "Where the networks run; auto takes a GPU if there is one."] = "auto"
    precision: Annotated[str, Choice(("auto", "bf16", "fp32")), "Numbers in the networks; auto takes bf16 where that is faster."] = "auto"
    threads: Annotated[int, Number(0, 1024), "Threads of torch; 0 takes every usable core."] = 0
    checkpoint_seconds: Annotated[float, Real(0, 1e6), "Seconds between two checkpoints."] = 60.0
    eval_minutes: Annotated[float | None, Real(0, 1e6, True), "Minutes between two evaluations for the learning curve."] = 1.0
    eval_deals: Annotated[int, Number(2, 10**6), "Duplicate deals of such an evaluation."] = 500
    eval_against: Annotated[tuple[str, ...], Words(tuple(PLAYERS)), "Players to measure against."] = ("autopilot", "heuristic")

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", {name: _switched(OPTIONS.get(name), value) for name, value in dict(self.rules).items()})
        for name, kind in KINDS.items():
            object.__setattr__(self, name, _switched(kind, getattr(self, name)))
            if not kind.check(getattr(self, name)):
                raise ConfigError(f"{name} = {getattr(self, name)!r} is not possible; it takes {kind}")
        for name in ("eval_against", "more_variants"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if self.minutes is None and self.decisions is None:
            raise ConfigError("a run needs an end: set minutes, decisions or both")
        try:
            ids = [rules.variant for rules in self.all_rules]
        except ValueError as error:
            raise ConfigError(str(error)) from None
        if len(set(ids)) < len(ids) or len(ids) > self.games:
            raise ConfigError(f"the games to learn are {', '.join(ids)}: each may be there once, and games = {self.games} must give each a share")

    @property
    def all_rules(self) -> list[Rules]:
        """The rules of every game to learn; `rules` changes the first one."""
        return [load(self.variant, **self.rules), *map(load, self.more_variants)]


_HINTS = get_type_hints(Config, include_extras=True)
KINDS: dict[str, Any] = {name: get_args(hint)[1] for name, hint in _HINTS.items()}
"""What each setting takes: an object with `check(value)` and a text."""


def docs() -> dict[str, str]:
    """The sentence of every setting, by name."""
    return {name: get_args(hint)[2] for name, hint in _HINTS.items()}


def defaults() -> dict[str, Any]:
    """The default of every setting, by name."""
    return {f.name: {} if f.name == "rules" else f.default for f in fields(Config)}


def load_config(path: Path | str | None, overrides: dict[str, str] | None = None) -> Config:
    """Settings from a TOML file, then from texts such as `{"lr": "0.001", "rules.target": "41"}`.

    Raises:
        ConfigError: for a file that cannot be read, an unknown setting, a wrong type or an impossible value.
    """
    values = {} if path is None else _read(Path(path))
    for name, text in (overrides or {}).items():
        table, _, option = name.partition(".")
        if option and table == "rules":
            _known(option, list(OPTIONS), "option of the rules")
            values["rules"] = {**values.get("rules", {}), option: parse(OPTIONS[option], option, text)}
        else:
            _known(name, list(KINDS), "setting")
            values[name] = parse(KINDS[name], name, text)
    return from_dict(values)


def from_dict(values: dict[str, Any]) -> Config:
    """Settings from a dict; what is missing takes its default."""
    for name in values:
        _known(name, list(KINDS), "setting")
    return Config(**values)


def to_dict(config: Config) -> dict[str, Any]:
    """All settings as plain data for JSON."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(config).items()}


def to_toml(config: Config) -> str:
    """All settings as TOML, each under its sentence."""
    lines, tables = [], []
    for name, value in to_dict(config).items():
        if isinstance(value, dict):
            tables += [f"\n# {docs()[name]}", f"[{name}]", *(f"{key} = {_literal(inner)}" for key, inner in value.items())]
        else:
            lines += [f"# {docs()[name]}", f"{name} = {_literal(value)}"]
    return "\n".join(lines + tables) + "\n"


def parse(kind: Any, name: str, text: str) -> Any:
    """A setting's value from text, as typed on a command line."""
    if _switched(kind, text) is None:
        return None
    try:
        if isinstance(kind, Flag):
            return {"true": True, "false": False}[text.lower()]
        if isinstance(kind, (Number, OneOf, Real)):
            return float(text) if isinstance(kind, Real) else int(text.replace("_", ""))
    except (ValueError, KeyError):
        raise ConfigError(f"{name} = {text!r} is not possible; it takes {kind}") from None
    if isinstance(kind, Options):
        raise ConfigError("rules is a table: set its options one by one, such as rules.target=41")
    return tuple(word.strip() for word in text.split(",") if word.strip()) if isinstance(kind, (Words, Ids)) else text


def _read(path: Path) -> dict[str, Any]:
    """A TOML file as a dict."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from None


def _switched(kind: Any, value: Any) -> Any:
    """None for the word "none" where a setting may be switched off: TOML has no other way to say it."""
    return None if getattr(kind, "optional", False) and value == "none" else value


def _known(name: str, valid: list[str], what: str) -> None:
    """Refuse an unknown name, with a guess at what was meant."""
    if name not in valid:
        raise ConfigError(f"there is no {what} {name!r}{hint(name, valid)}; there are {', '.join(valid)}")


def _literal(value: Any) -> str:
    """A plain value as TOML."""
    if value is None:
        return '"none"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"[{', '.join(map(_literal, value))}]" if isinstance(value, list) else repr(value)
