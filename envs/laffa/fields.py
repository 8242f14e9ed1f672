"""The fields of rules for all families of games: what each takes, says and is by default; one sentence a field."""

from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

from laffa.cards import LEVELS
from laffa.options import Choice, Flag, Kind, Number, OneOf

GAMES = ("tarneeb", "tarabish", "turub")
TARABISH, TURUB = GAMES.index("tarabish"), GAMES.index("turub")
"""Values of `game` in packed rules; Tarneeb is 0."""
FIRST_LEVEL = 6
"""Where ladders begin if they fit: seven tricks, 65 points of 120 and 50 points of 162 are the same action."""


class Fields(NamedTuple):
    """Everything that distinguishes one variant from another; codes are those of the rules page.

    An option marked with families belongs to those alone. The values given here are the defaults of the first family that has
    it; `DEFAULTS` has them by family, and a variant's file states what differs.
    """

    variant: Annotated[str, "Id of the variant, the name of its file."]
    origin: Annotated[str, "What `load` reads the variant from: its id, or the path of a file of one's own."]
    version: Annotated[int, "Version of the rules; the environment's id ends in it."]
    title: Annotated[str, "Name for people."]
    sources: Annotated[str, "Codes of the rules that the file implements."]
    game: Annotated[str, "The family of games, which decides what options there are."] = "tarneeb"
    no_trump: Annotated[
        bool, Flag(), "Whether the game has a no-trump contract: named by a declarer who has bid `nt_min_bid` or more (T43, T-fg).", "tarabish"
    ] = True
    packs: Annotated[int, OneOf((4, 1)), "Packs of 36 cards that are shuffled together (A2, 4.10).", "turub"] = 4
    # The auction.
    auction: Annotated[
        str,
        Choice(("open", "final_pass", "single_lap")),
        "Form of the auction: a player who passed may bid again (K13), is out of it (F7, I8, T-d), or each seat calls once (4.2).",
        "tarneeb",
        "tarabish",
    ] = "open"
    close_at_max: Annotated[bool, Flag(), "Whether a bid that nothing outranks closes the auction at once (K14, K-e, Q3).", "tarneeb", "tarabish"] = (
        True
    )
    bid_min: Annotated[int, Number(1, 250), "Lowest bid, in tricks or points (K11, F5, I7, T39).", "tarneeb", "tarabish"] = 7
    bid_max: Annotated[int, Number(1, 250), "Highest bid (K10, T-b).", "tarneeb", "tarabish"] = 13
    bid_step: Annotated[int, Number(1, 249), "Distance between two bids (2.I.400, T-b).", "tarneeb", "tarabish"] = 1
    bid_form: Annotated[
        str, Choice(("number", "number+suit")), "Whether a bid is a number, or a number with the suit that will be trumps (T-a).", "tarabish"
    ] = "number"
    nt_bids: Annotated[bool, Flag(), "Whether a bid may be marked no trump, which outranks the plain bid of its number (I23, I-k).", "tarneeb"] = (
        False
    )
    dealer_may_equal: Annotated[
        bool, Flag(), "Whether in a single lap the dealer may repeat the standing bid and take it over (4.2, Q21).", "tarneeb"
    ] = False
    cards_at_bid: Annotated[
        int, OneOf((3, 6, 9)), "Cards that a seat holds while it bids; the rest is dealt when trumps are known (T-e).", "tarabish"
    ] = 3
    upcard: Annotated[
        bool, Flag(), "Whether the next card of the stock is turned up and no other suit may become trumps (T13, T-f, Q9).", "tarabish"
    ] = False
    reveal_packet: Annotated[
        bool, Flag(), "Whether the second packet of the dealer's right neighbour is shown to all before the auction (T12, T-f).", "tarabish"
    ] = False
    second_round: Annotated[
        bool, Flag(), "Whether after four passes the auction is held once more, with no trump allowed at `nt_min_bid` (T14, Q8).", "tarabish"
    ] = False
    nt_min_bid: Annotated[int, Number(1, 250), "Lowest contract that may be played at no trump (T43, Q12).", "tarabish"] = 150
    nt_scoring: Annotated[
        str,
        Choice(("double_before", "ace19")),
        "At no trump the declarers' points count twice before the comparison with the bid (T-ff), or aces have 19 and made points count twice (Q12).",
        "tarabish",
    ] = "double_before"
    all_pass: Annotated[
        str,
        Choice(("next_dealer", "same_dealer", "force_dealer")),
        "When all pass: the next seat deals (K16, I9, T-g), the same deals again (4.1), or the last seat has to open with the minimum (4.3).",
        "tarneeb",
        "tarabish",
    ] = "next_dealer"
    all_pass_cap: Annotated[
        int | None, Number(1, 127, True), "Passed-out deals in a row after which the match ends without a result (K32, Q1).", "tarneeb", "tarabish"
    ] = 8
    # Announcements.
    meld_set: Annotated[
        str,
        Choice(("full", "runs_only")),
        "What counts as a meld: runs and four of a kind (T18, T20), or runs alone at 20 and 50 (4.11).",
        "tarabish",
    ] = "full"
    run_order: Annotated[
        str, Choice(("natural", "plain")), "Order in which cards of a run follow each other: A K Q J T 9 …, or that of plain suits (T-j).", "tarabish"
    ] = "natural"
    longer_first: Annotated[bool, Flag(), "Whether a longer run of five or more beats a shorter one (T-l).", "tarabish"] = False
    overlap: Annotated[bool, Flag(), "Whether a card may count in a run and in four of a kind (T-o).", "tarabish"] = False
    equal_runs: Annotated[
        str,
        Choice(("order", "cancel")),
        "Equal best runs of both sides: the side that does not deal has the better (T-n), or neither counts (4.11).",
        "tarabish",
    ] = "order"
    auto_declare: Annotated[bool, Flag(), "Whether melds are announced without a decision (T-q).", "tarabish"] = False
    auto_bella: Annotated[bool, Flag(), "Whether king and queen of trumps are announced without a decision (T-r).", "tarabish"] = False
    deferred: Annotated[bool, Flag(), "Whether announced melds become public only at the end of the hand (T42, T-t).", "tarabish"] = False
    signals: Annotated[
        str,
        Choice(("off", "on", "truthful")),
        "Whether the leader of a trick may knock for a strong suit or snap for a weak one: never, as he likes, or if it is true (A13, A-j).",
        "turub",
    ] = "off"
    # Play.
    must_rise_on_trump_lead: Annotated[bool, Flag(), "Whether one has to beat the best trump when trumps are led (T-u).", "tarabish"] = True
    partner_exempt: Annotated[
        str,
        Choice(("none", "overtrump", "all")),
        "What a void seat is spared while its partner is winning: nothing (T27), the overruff (T28), or every duty (T-w).",
        "tarabish",
    ] = "none"
    # What a hand scores.
    unit: Annotated[
        str, Choice(("tricks", "card_points")), "What bids promise and hands score: tricks, or points of the cards in them (K2, I22).", "tarneeb"
    ] = "tricks"
    made_score: Annotated[str, Choice(("actual", "bid")), "What a made contract scores: what its side took (I14), or the bid (K25).", "tarneeb"] = (
        "actual"
    )
    defenders_on_made: Annotated[
        str, Choice(("none", "actual")), "What the defenders score then: nothing (K25, F11), or what they took (I16).", "tarneeb"
    ] = "none"
    slam_unbid: Annotated[
        int | None, Number(1, 1_000, True), "Score of a side that takes everything without having bid it (F13, I24).", "tarneeb"
    ] = None
    slam_bid: Annotated[int | None, Number(1, 1_000, True), "Score of a side that bids everything and takes it (F13, I17).", "tarneeb"] = None
    slam_failed: Annotated[int | None, Number(1, 1_000, True), "What a failed bid of everything costs (F14).", "tarneeb"] = None
    slam_failed_defenders_x2: Annotated[
        bool, Flag(), "Whether the defenders score twice what they took from a failed bid of everything (F-f).", "tarneeb"
    ] = False
    kabsh_any_side: Annotated[bool, Flag(), "Whether defenders who take everything score `slam_unbid` too (I-e, Q5).", "tarneeb"] = False
    judge: Annotated[
        str,
        Choice(("bid", "outscore")),
        "What the declarers have to reach: their bid (T34), or more than the other side, after naming trumps without a number (4.11).",
        "tarabish",
    ] = "bid"
    equal: Annotated[
        str, Choice(("half_bait", "bait")), "Level points under `outscore`: the others keep theirs, or take all (4.11, X10).", "tarabish"
    ] = "half_bait"
    last_trick: Annotated[int, OneOf((10, 4)), "Points of the last trick (T33, T40).", "tarabish"] = 10
    need_trick: Annotated[bool, Flag(), "Whether a contract fails without a trick, whatever was announced (T-aa).", "tarabish"] = False
    bella_survives_bate: Annotated[bool, Flag(), "Whether a side keeps its Bella when its contract fails (T-bb, Q13).", "tarabish"] = False
    coat: Annotated[bool, Flag(), "Whether declarers who leave the others without a point score 100 more (T44, T-ee).", "tarabish"] = False
    all_nine_tricks: Annotated[bool, Flag(), "Whether that takes all nine tricks instead (T-ee, Q12).", "tarabish"] = False
    # The match.
    slam_wins_match: Annotated[bool, Flag(), "Whether a game won without losing a trick wins the match (A-a).", "turub"] = True
    short_win_rotates: Annotated[
        bool, Flag(), "Whether a second win that is no larger than the first moves the deal as a win; else as a draw (A-c).", "turub"
    ] = False
    game_cap: Annotated[int | None, Number(1, 10_000, True), "Games after which the match ends (A-a, Q1).", "turub"] = 50
    cap_result: Annotated[
        str, Choice(("draw", "holder")), "What that is: a draw, or a win of the side that holds the last win (A-a, Q27).", "turub"
    ] = "draw"
    hand_cap: Annotated[int | None, Number(1, 10_000, True), "Counted hands after which the better score wins (K31, Q1).", "tarneeb"] = 50
    cap_tie: Annotated[str, Choice(("draw", "last_hand_winner")), "Result of equal scores at the hand cap (K31, K33).", "tarneeb"] = "draw"
    target: Annotated[int, Number(1, 1_000), "Score that wins the match (K30, F15, I18, T8).", "tarneeb", "tarabish"] = 31
    best_of: Annotated[int, OneOf((1, 3)), "Games of a match: one, or the better of three (Q14).", "tarabish"] = 1
    both_over: Annotated[
        str, Choice(("bidder", "higher")), "Both sides at the target in one hand: the declarers win (T36), or the higher score (T-hh).", "tarabish"
    ] = "bidder"

    @property
    def whole(self) -> int:
        """Everything that one hand has, melds apart: its tricks, 120 card points, or 152 and the last trick in Tarabish."""
        if self.game == "turub":
            return 9 * self.packs
        if self.game == "tarabish":
            return 152 + self.last_trick
        return 13 if self.unit == "tricks" else 120

    @property
    def in_tricks(self) -> bool:
        """Whether bids promise tricks, not points."""
        return self.unit == "tricks"

    @property
    def contracts(self) -> bool:
        """Whether somebody promises something, which is made or fails; in Arba'a Turub trumps are named and nothing is promised."""
        return self.game != "turub"

    @property
    def ladder(self) -> list[int]:
        """The numbers that may be bid, rising; none where trumps are named without a number."""
        return [] if self.judge == "outscore" or self.game == "turub" else list(range(self.bid_min, self.bid_max + 1, self.bid_step))

    @property
    def first_level(self) -> int:
        """The level of the lowest bid: in tricks their number - 1, in points `FIRST_LEVEL`, or less for a ladder that would not fit."""
        return self.bid_min - 1 if self.in_tricks else max(0, min(FIRST_LEVEL, LEVELS - len(self.ladder)))

    def value(self, level: int) -> int:
        """The number called at a level of the bid ladder."""
        return level + 1 if self.in_tricks else self.bid_min + self.bid_step * (level - self.first_level)

    def level(self, value: int) -> int:
        """The level of the bid ladder at which `value` is called."""
        return value - 1 if self.in_tricks else self.first_level + (value - self.bid_min) // self.bid_step

    @property
    def options(self) -> dict[str, Any]:
        """The options of the game alone, by name, as `load` takes them."""
        return {name: getattr(self, name) for name in DEFAULTS[self.game]}

    @property
    def changed(self) -> dict[str, Any]:
        """The options that differ from the family's defaults."""
        return {name: value for name, value in self.options.items() if value != DEFAULTS[self.game][name]}


_HINTS = {name: get_args(hint)[1:] for name, hint in get_type_hints(Fields, include_extras=True).items()}
FIELD_DOCS: dict[str, str] = {name: next(note for note in notes if type(note) is str) for name, notes in _HINTS.items()}
OPTIONS: dict[str, Kind] = {name: notes[0] for name, notes in _HINTS.items() if type(notes[0]) is not str}
"""Every option of any game."""

_TARABISH = {"no_trump": False, "auction": "final_pass", "bid_min": 50, "bid_max": 160, "bid_step": 10, "target": 500}
DEFAULTS: dict[str, dict[str, Any]] = {
    game: {name: Fields._field_defaults[name] for name in OPTIONS if not _HINTS[name][2:] or game in _HINTS[name][2:]} for game in GAMES
}
DEFAULTS["tarabish"] |= _TARABISH
"""The options of each family with their defaults."""

FIXED: dict[str, dict[str, Any]] = {
    game: {name: None for name, kind in OPTIONS.items() if name not in DEFAULTS[game] and getattr(kind, "optional", False)} for game in GAMES
}
FIXED["tarabish"]["unit"] = "card_points"
"""What stands in the fields that are no options of a family."""
