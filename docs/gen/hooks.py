"""Writes the pages and tables that would drift if they were typed: one page a variant, the observation layout, the actions, the trials.

MkDocs calls the functions whose names start with `on_`. A page asks for a table with a line `<!-- generated: NAME -->`, where NAME is a
key of `TABLES`.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from trials import rows as trial_rows

import laffa
from laffa.cards import ACTIONS, BELLA, BID, BID_NT, BID_SUIT, DECLARE, KNOCK, PASS, SILENT, SNAP, TRUMP
from laffa.fields import DEFAULTS, FIELD_DOCS
from laffa.layout import SIZE, informative
from laffa.state import STATE
from laffa_train.scaling import MOVES, moved_bytes, part_bytes

ROOT = Path(__file__).resolve().parents[2]
MARK = re.compile(r"^<!-- generated: (.+?) -->$", re.MULTILINE)
NAV_INDEX = "variants/index.md"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Puts the variants below their index in the navigation."""
    for entry in config.nav or []:
        for title, target in entry.items():
            if target == NAV_INDEX:
                entry[title] = [NAV_INDEX, *({variant: page_path(variant)} for variant in laffa.variants())]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the variant pages and the changelog."""
    for variant in laffa.variants():
        files.append(File.generated(config, page_path(variant), content=variant_page(variant)))
    files.append(File.generated(config, "changelog.md", content=(ROOT / "CHANGELOG.md").read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Replaces each mark by its table."""
    del config, files

    def fill(mark: re.Match[str]) -> str:
        if mark[1] not in TABLES:
            raise PluginError(f"{page.file.src_path}: no generated table {mark[1]!r}; there are: {', '.join(TABLES)}")
        return TABLES[mark[1]]()

    return MARK.sub(fill, markdown)


def page_path(variant: str) -> str:
    """Where a variant's page stands, relative to docs/."""
    return f"variants/{variant}.md"


def variant_page(variant: str) -> str:
    """A variant's rules in words, then each option with its value."""
    rules = laffa.load(variant)
    sentences = "\n".join(f"- {sentence.text}" for sentence in laffa.describe(rules))
    options = table(("option", "value", "family's default", "meaning"), options_of(rules))
    return f"""# {rules.title}

`{variant}`, version {rules.version} of its rules. In an environment:

```python
env = laffa.env("{variant}")
```

## The rules

{sentences}

Codes in brackets name the rule behind a sentence; the tests use the same codes. The file implements {rules.sources}.

## The options

Each is a keyword of `laffa.env`, `laffa.Batch` and `laffa.load`: `laffa.load("{variant}", option=value)`. Values in bold differ from the
family's default.

{options}

## A hand

Four `heuristic` players, `seed=1`: each seat's cards, the calls, the tricks with the card that was led first, and the score.

```text
{sample_hand(variant)}
```

## The actions

The ids are the same in all variants; these are those that this one can use.

{table(("id", "action"), actions_of(rules))}

## The observation

The layout is the same in all variants; pieces that this one never uses are 0.

{observation_table()}
"""


def sample_hand(variant: str) -> str:
    """One hand of four rule-based players, as text."""
    env, rules = laffa.env(variant, episode="hand"), laffa.load(variant)
    env.reset(seed=1)
    batch, player = laffa.Batch(variant, 1, seed=1, episode="hand"), laffa.players.make("heuristic", variant)
    turn, lines = batch.reset(), []
    while env.agents and not any(env.terminations.values()):
        view = env.snapshot()
        if not view["history"]:
            lines += [f"dealer {view['dealer']}", *(f"  {seat}: {' '.join(hand)}" for seat, hand in enumerate(view["hands"]))]
            lines += [f"  left to deal, in packets of three: {' '.join(view['undealt'])}"] if view["undealt"] else []
        [action] = player.act(turn)
        env.step(int(action))
        turn = batch.step([action])
    view = env.snapshot()
    contract, last = view["contract"], view["last_hand"]
    if contract is None:
        lines.append(f"{view['history'][0][0]} names trumps: {view['trump']}")
    else:
        lines.append("calls: " + ", ".join(f"{seat} {call}" for seat, call in view["calls"]))
        number = "" if contract["value"] is None else f" {contract['value']}"
        lines.append(f"contract{number} by {contract['seat']}, trumps {contract['trump']}")
    if last["melds"]:
        lines.append("melds: " + ", ".join(f"{seat} {kind} {top} ({worth})" for seat, kind, top, worth in last["melds"]))
    if last["bella"] is not None:
        lines.append(f"Bella: {last['bella']}")
    said = [f" ({text})" if text != "silent" else "" for _, text in view["history"] if text in ("silent", "knock", "snap")]
    for leader, (led, *cards), winner in view["tricks"]:
        signal = said.pop(0) if rules.game == "turub" and rules.signals != "off" else ""
        lines.append(f"  {leader}: {led}{signal} {' '.join(cards)}  to {winner}")
    points = f", card points {last['points'][0]} to {last['points'][1]}" if sum(last["points"]) else ""
    made = "" if contract is None else (", made" if last["made"] else ", failed")
    lines.append(f"tricks {last['tricks'][0]} to {last['tricks'][1]}{points}{made}: {last['scores'][0]} to {last['scores'][1]}")
    return "\n".join(lines)


def actions_of(rules: Any) -> Iterable[tuple[str, str]]:
    """The actions that a variant can use, runs of cards and calls in one row each."""
    levels = [rules.level(value) for value in rules.ladder]
    yield "0-51", "a card, `2S` to `AC`: 13 x suit + rank"
    if rules.game == "turub":
        yield f"{TRUMP}-{TRUMP + 3}", "`trump S`, `trump H`, `trump D`, `trump C`"
        for action in (SILENT, KNOCK, SNAP) if rules.signals != "off" else ():
            yield str(action), f"`{laffa.action_text(rules, action)}`"
        return
    yield str(PASS), "`pass`"
    if rules.bid_form == "number+suit":
        yield f"{BID_SUIT + 4 * levels[0]}-{BID_SUIT + 4 * levels[-1] + 3}", "a number with a suit: 4 x level + suit"
    else:
        for action in [BID + level for level in levels] + ([BID_NT + level for level in levels] if rules.nt_bids else []):
            yield str(action), f"`{laffa.action_text(rules, action)}`"
    yield f"{TRUMP}-{TRUMP + 3}", "`trump S`, `trump H`, `trump D`, `trump C`"
    if rules.game == "tarabish":
        if rules.no_trump or rules.second_round:
            yield str(TRUMP + 4), "`trump NT`"
        for action in (DECLARE, SILENT, BELLA):
            yield str(action), f"`{laffa.action_text(rules, action)}`"


def options_of(rules: Any) -> Iterable[tuple[str, str, str, str]]:
    """The options in `Rules` as (name, value, default, meaning)."""
    for name, value in rules.options.items():
        shown, default = f"`{value}`", f"`{DEFAULTS[rules.game][name]}`"
        yield f"`{name}`", shown if shown == default else f"**{shown}**", default, FIELD_DOCS[name]


def variants_table() -> str:
    """Every variant with its name."""
    rows = ((f"[`{variant}`]({variant}.md)", laffa.load(variant).title) for variant in laffa.variants())
    return table(("variant", "name"), rows)


def observation_table() -> str:
    """The observation layout, which must be the same for all variants: one network can play them all."""
    variants = laffa.variants()
    layout = list(laffa.observation_layout(variants[0]))
    for variant in variants[1:]:
        if list(laffa.observation_layout(variant)) != layout:
            raise PluginError(f"the observation layouts of {variants[0]} and {variant} differ, the page says that they do not")
    rows = ((f"`{piece.name}`", piece.offset, piece.size, piece.scale, piece.meaning) for piece in layout)
    total = sum(piece.size for piece in layout)
    return table(("piece", "from", "size", "scale", "meaning"), rows) + f"\n\n{total} numbers in all."


def bytes_table() -> str:
    """What a game of a batch costs in bytes, for every variant: there is one type of record and one layout."""
    rows = (("state", STATE.itemsize), ("observation", SIZE), ("mask", ACTIONS))
    return table(("what", "bytes a game"), [*rows, ("together", sum(size for _, size in rows))])


def moves_table() -> str:
    """What one decision of `Batch.step` moves, for every variant."""
    parts = part_bytes(laffa.load(laffa.variants()[0]), 64)
    moved = moved_bytes(parts)
    rows = [(name, f"{parts[name]:,.0f}", MOVES[name], f"{moved[name]:,.0f}") for name in parts]
    return table(("what", "bytes a game", "times", "bytes a decision"), [*rows, ("together", "", "", f"{sum(moved.values()):,.0f}")])


def network_table() -> str:
    """How many numbers of an observation a network for one variant takes in; it leaves out those that cannot differ."""
    sizes = {piece.name: piece.size for piece in laffa.observation_layout(laffa.variants()[0])}
    rows = ((f"`{variant}`", sum(sizes[name] for name in informative([laffa.load(variant)]))) for variant in laffa.variants())
    return table(("variant", f"numbers of {SIZE}"), rows)


def action_table() -> str:
    """The one action space of all variants."""
    return table(("id", "text", "meaning"), ((ids, f"`{text}`", meaning) for ids, text, meaning in laffa.action_table()))


def trials_table() -> str:
    """Every trial with its sources and the tests that bear it."""
    return table(("id", "kind", "reported", "what is tried", "tests"), trial_rows())


def table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """A Markdown table; a bar inside a cell is escaped."""

    def line(cells: Iterable[Any]) -> str:
        return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    columns = list(head)
    return "\n".join([line(columns), line("---" for _ in columns), *map(line, rows)])


TABLES: dict[str, Callable[[], str]] = {
    "variants": variants_table,
    "observation layout": observation_table,
    "actions": action_table,
    "bytes": bytes_table,
    "moves": moves_table,
    "networks": network_table,
    "trials": trials_table,
}
