"""The rules a second time: slow, obvious, plain Python, to check the fast engine move by move.

Written from RULES.md alone; it imports nothing but the standard library and its own arithmetic, and shares no code
with the package it checks. Cards are texts ("AS", "TH", "2C"), seats are 0 to 3 in the order of play, sides are 0
(seats 0 and 2) and 1 (seats 1 and 3). What every trick game needs are functions; each family of games is one class.
"""

import json
from collections.abc import Iterable
from typing import Any

from referee_score import (
    FORCED,
    FRENCH31,
    ITALIAN41,
    KOUTCHINA,
    NOTRUMP,
    ONEROUND,
    PAGAT,
    POINTS400,
    PRESETS,
    SAUDI,
    Options,
    match_result,
    score_hand,
    taken,
)

__all__ = [
    "FORCED", "FRENCH31", "ITALIAN41", "KOUTCHINA", "NOTRUMP", "ONEROUND", "PAGAT", "POINTS400", "PRESETS", "SAUDI",
    "TarneebReferee", "card_points", "match_result", "playable", "score_hand", "sorted_hand", "trick_winner",
]  # fmt: skip

Hands = list[list[str]]

SUITS = "SHDC"
RANKS = "AKQJT98765432"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
PLACE = {card: place for place, card in enumerate(PACK)}
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}


def sorted_hand(cards: list[str]) -> list[str]:
    """The cards by suit S H D C, within a suit from the ace down to the two."""
    return sorted(cards, key=PLACE.__getitem__)


def playable(hand: list[str], led: str | None) -> list[str]:
    """Follow the led suit if able; else, or on lead, any card, with no duty to ruff (K21, F9, I11)."""
    following = [card for card in hand if card[1] == led]
    return following or hand


def trick_winner(cards: list[str], trump: str) -> int:
    """The place, in order of play, of the card that wins: highest trump, else highest of the led suit (K9, K22, I12)."""
    trumps = [card for card in cards if card[1] == trump]
    led = [card for card in cards if card[1] == cards[0][1]]
    best = min(trumps or led, key=lambda card: RANKS.index(card[0]))
    return cards.index(best)


def card_points(cards: list[str]) -> int:
    """The card points of some cards: 30 in each suit, 120 in the pack (I22, I16 of section 5.3)."""
    return sum(POINTS.get(card[0], 0) for card in cards)


class TarneebReferee:
    """One match of Tarneeb under any options of section 7's table: legal, step, turn, over, snapshot.

    `scores`, `hands_played` and `passed_deals` may be assigned before the first step to set up a position.
    """

    def __init__(self, variant: str, version: int, options: Options, deals: Iterable[Hands], dealer: int, episode: str = "match"):
        unknown = set(options) - set(KOUTCHINA)
        if unknown or episode not in ("match", "hand"):
            raise ValueError(f"unknown options {sorted(unknown)} or episode {episode!r}")
        self.variant, self.version, self.episode = variant, version, episode
        self.options = {"dealer_may_equal": False, **options}
        self.ladder = self._ladder()
        self.deals = iter(deals)
        self.scores, self.hands_played, self.passed_deals = [0, 0], 0, 0
        self.last_hand: dict[str, Any] | None = None
        self.winner: int | str | None = None
        self.over = False
        self._deal(dealer)

    def _ladder(self) -> list[str]:
        """All bids from the lowest to the highest: 7, or 7 then 7NT, up to the maximum (K10, I23, I-k)."""
        numbers = range(self.options["bid_min"], self.options["bid_max"] + 1, self.options["bid_step"])
        forms = ["", "NT"] if self.options["nt_bids"] else [""]
        return [f"bid {number}{form}" for number in numbers for form in forms]

    def _deal(self, dealer: int) -> None:
        """Thirteen cards each; the seat after the dealer speaks first (K5, K10, I7)."""
        hands = [list(hand) for hand in next(self.deals)]
        if [len(hand) for hand in hands] != [13] * 4 or sorted_hand([card for hand in hands for card in hand]) != PACK:
            raise ValueError("a deal is four hands of thirteen different cards")
        self.hands = hands
        self.dealer, self.turn = dealer, (dealer + 1) % 4
        self.phase = "bid"
        self.calls: list[list[Any]] = []
        self.history: list[list[Any]] = []
        self.contract: dict[str, Any] | None = None
        self.leader: int | None = None
        self.first_leader: int | None = None
        self.trick: list[list[Any]] = []
        self.tricks: list[list[Any]] = []

    # ---- legal

    def legal(self) -> list[str]:
        """The texts of all legal actions of the seat to act, empty when over."""
        if self.phase == "bid":
            return self._legal_calls()
        if self.phase == "trump":
            return [f"trump {suit}" for suit in SUITS]  # K17, I-k: a bid without NT promises a suit, any of the four
        if self.phase == "play":
            return playable(sorted_hand(self.hands[self.turn]), self.trick[0][1][1] if self.trick else None)
        return []

    def _legal_calls(self) -> list[str]:
        """Pass or a higher bid (K12, K13); the last seat may be forced to open (Q4) or allowed to repeat (Q21)."""
        standing = self._standing()
        last_seat = len(self.calls) == 3
        if standing is None:
            forced = last_seat and self.options["all_pass"] == "force_dealer"
            return [self.ladder[0]] if forced else ["pass", *self.ladder]
        may_equal = last_seat and self.options["auction"] == "single_lap" and self.options["dealer_may_equal"]
        lowest = self.ladder.index(standing[1]) + (0 if may_equal else 1)
        return ["pass", *self.ladder[lowest:]]

    def _standing(self) -> list[Any] | None:
        """The last bid as [seat, text], None when nobody has bid."""
        bids = [call for call in self.calls if call[1] != "pass"]
        return bids[-1] if bids else None

    # ---- step

    def step(self, text: str) -> list[int]:
        """Play the action of the seat to act and return each seat's reward; ValueError if it is not legal."""
        if text not in self.legal():
            raise ValueError(f"seat {self.turn}, phase {self.phase}: {text!r} is not one of {self.legal()}")
        self.history.append([self.turn, text])
        if self.phase == "bid":
            return self._call(text)
        if self.phase == "trump":
            return self._name_trump(text.split()[1])
        return self._play(text)

    def _call(self, text: str) -> list[int]:
        """A pass or a bid, after which the auction goes on, is passed out or has a taker."""
        self.calls.append([self.turn, text])
        if not self._auction_closed():
            self.turn = self._next_caller()
        elif self._standing() is None:
            self._passed_out()
        else:
            self._take_contract()
        return [0, 0, 0, 0]

    def _auction_closed(self) -> bool:
        """One of the three forms of auction has come to its end (K15, K16, I-a, Q3)."""
        texts = [text for _, text in self.calls]
        if self.options["close_at_max"] and texts[-1] == self.ladder[-1]:
            return True
        if self._standing() is None or self.options["auction"] == "single_lap":
            return len(texts) == 4
        if self.options["auction"] == "open":
            return texts[-3:] == ["pass", "pass", "pass"]
        return texts.count("pass") == 3

    def _next_caller(self) -> int:
        """The next seat, in an auction with final passes the next one that has not passed (F-d, I8)."""
        passed = [seat for seat, text in self.calls if text == "pass" and self.options["auction"] == "final_pass"]
        return next(seat % 4 for seat in range(self.turn + 1, self.turn + 5) if seat % 4 not in passed)

    def _passed_out(self) -> None:
        """Nobody bid: not a counted hand, cards again from the next or the same dealer, up to the cap (K16, K32, Q1, Q4)."""
        self.passed_deals += 1
        if self.options["all_pass_cap"] is not None and self.passed_deals >= self.options["all_pass_cap"]:
            self._finish("none")
        else:
            self._deal(self.dealer if self.options["all_pass"] == "same_dealer" else (self.dealer + 1) % 4)

    def _take_contract(self) -> None:
        """The author of the last bid is the taker; a no-trump bid has already named its trumps (K15, Q17)."""
        seat, text = self._standing()
        bid = text.split()[1]
        self.contract = {"seat": seat, "value": int(bid.removesuffix("NT")), "trump": None}
        self.turn, self.phase = seat, "trump"
        if bid.endswith("NT"):
            self._name_trump("NT")

    def _name_trump(self, trump: str) -> list[int]:
        """The taker has named trumps and leads to the first trick (K17, K20)."""
        self.contract["trump"] = trump
        self.phase, self.leader, self.first_leader = "play", self.turn, self.turn
        return [0, 0, 0, 0]

    def _play(self, card: str) -> list[int]:
        """A card goes to the trick; the fourth closes it, the fifty-second ends the hand (K20, K23)."""
        self.hands[self.turn].remove(card)
        self.trick.append([self.turn, card])
        self.turn = (self.turn + 1) % 4
        if len(self.trick) == 4:
            self._close_trick()
        return self._end_hand() if len(self.tricks) == 13 else [0, 0, 0, 0]

    def _close_trick(self) -> None:
        """The winner of the trick leads to the next (K22)."""
        cards = [card for _, card in self.trick]
        winner = self.trick[trick_winner(cards, self.contract["trump"])][0]
        self.tricks.append([self.leader, cards, winner])
        self.trick, self.leader, self.turn = [], winner, winner

    # ---- the end of a hand and of the match

    def _hand(self) -> dict[str, Any]:
        """Tricks and card points that each side has taken in this hand (K4, I22)."""
        tricks, points = [0, 0], [0, 0]
        for _, cards, winner in self.tricks:
            tricks[winner % 2] += 1
            points[winner % 2] += card_points(cards) if self.options["unit"] == "card_points" else 0
        return {"tricks": tricks, "points": points, "melds": [], "bella": None}

    def _end_hand(self) -> list[int]:
        """Score the hand, then end the match or deal from the next seat (K6, K30, K31, Q20)."""
        scores = self._score_sides()
        self.scores = [self.scores[0] + scores[0], self.scores[1] + scores[1]]
        self.hands_played, self.passed_deals = self.hands_played + 1, 0
        winner = match_result(self.options, self.scores, self.hands_played, scores)
        if winner is not None or self.episode == "hand":
            self._finish(winner)
        else:
            self._deal((self.dealer + 1) % 4)
        gain = scores[0] - scores[1]
        return [gain, -gain, gain, -gain]

    def _score_sides(self) -> list[int]:
        """The hand's score of each side, noted in `last_hand` with what led to it."""
        hand, side, bid = self._hand(), self.contract["seat"] % 2, self.contract["value"]
        tricks, points = hand["tricks"][side], hand["points"][side]
        bidders, defenders = score_hand(self.options, bid, self.contract["trump"] == "NT", tricks, points)
        scores = [bidders, defenders] if side == 0 else [defenders, bidders]
        made = taken(self.options, tricks, points) >= bid
        self.last_hand = {"scores": scores, "made": made, **hand, "contract": dict(self.contract)}
        return scores

    def _finish(self, winner: int | str | None) -> None:
        """Nothing more is dealt and nobody is to act; what the last hand was stays visible (Q19, Q20)."""
        self.over, self.winner, self.phase = True, winner, "over"
        self.turn, self.leader, self.trick, self.hands = None, None, [], [[], [], [], []]

    # ---- snapshot

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain JSON values, a copy that later steps leave alone (Q19)."""
        state = {
            "variant": self.variant, "version": self.version, "phase": self.phase, "turn": self.turn,
            "dealer": self.dealer, "first_leader": self.first_leader,
            "hands": [sorted_hand(hand) for hand in self.hands], "undealt": [], "upcard": None,
            "calls": self.calls, "contract": self.contract, "trump": self.contract and self.contract["trump"],
            "trick": {"leader": self.leader, "cards": self.trick}, "tricks": self.tricks, "hand": self._hand(),
            "scores": self.scores, "hands_played": self.hands_played, "passed_deals": self.passed_deals,
            "games": [0, 0], "streak": None, "last_hand": self.last_hand,
            "winner": self.winner, "history": self.history,
        }  # fmt: skip
        return json.loads(json.dumps(state))
