"""Tarabish a second time: slow, obvious, plain Python, to check the fast engine move by move.

Written from RULES.md alone, as `referee` is for Tarneeb; cards, seats and sides are as there.
"""

import json
from collections.abc import Iterable
from typing import Any

from referee_points import (
    NATURAL,
    SUITS,
    TARABISH,
    Options,
    card_value,
    counted_melds,
    game_winner,
    melds_of,
    playable_cards,
    score_tarabish,
    winning_place,
)

PACK = [rank + suit for suit in SUITS for rank in NATURAL]
NOTHING = [0, 0, 0, 0]


def in_order(cards: list[str]) -> list[str]:
    """The cards by suit S H D C, within a suit from the ace down to the six."""
    return sorted(cards, key=PACK.index)


class TarabishReferee:
    """One match of Tarabish under any options of section 7's table: legal, step, turn, over, snapshot.

    A deal is four complete hands, each in the order in which the seat is dealt its cards.
    """

    def __init__(self, variant: str, version: int, options: Options, deals: Iterable[list[list[str]]], dealer: int, episode: str = "match"):
        if set(options) != set(TARABISH):
            raise ValueError(f"options {sorted(set(options) ^ set(TARABISH))}")
        self.variant, self.version, self.options, self.episode = variant, version, options, episode
        self.deals = iter(deals)
        self.scores, self.games, self.hands_played, self.passed_deals = [0, 0], [0, 0], 0, 0
        self.last_hand: dict[str, Any] | None = None
        self.winner: int | str | None = None
        self.over = False
        self._deal(dealer)

    # ---- dealing

    def _deal(self, dealer: int) -> None:
        """Packets of three from the dealer's left; some of them before the auction (T11, T16, T-e)."""
        complete = next(self.deals)
        if in_order([card for hand in complete for card in hand]) != PACK or [len(hand) for hand in complete] != [9] * 4:
            raise ValueError("a deal is four hands of nine different cards")
        self.dealer = dealer
        self.hands: list[list[str]] = [[], [], [], []]
        packets = [((dealer + 1 + k) % 4, k // 4) for k in range(12)]
        self.undealt = [(seat, complete[seat][3 * lap : 3 * lap + 3]) for seat, lap in packets]
        while len(self.hands[dealer]) < self.options["cards_at_bid"]:
            self._deal_packet()
        self.upcard = self.undealt[0][1][0] if self.options["upcard"] else None
        self.calls: list[list[Any]] = []
        self.history: list[list[Any]] = []
        self.contract: dict[str, Any] | None = None
        self.leader: int | None = None
        self.first_leader: int | None = None
        self.trick: list[list[Any]] = []
        self.tricks: list[list[Any]] = []
        self.announced: list[list[dict[str, Any]]] = [[], [], [], []]
        self.bella: int | None = None
        self.second = False
        self._open_auction()

    def _deal_packet(self) -> None:
        seat, cards = self.undealt.pop(0)
        self.hands[seat] += cards

    def _open_auction(self) -> None:
        self.phase, self.turn, self.auction = "bid", (self.dealer + 1) % 4, []

    # ---- legal

    def legal(self) -> list[str]:
        """The texts of all legal actions of the seat to act, empty when over."""
        if self.phase == "bid":
            return self._legal_takes() if self.options["judge"] == "outscore" else self._legal_bids()
        if self.phase == "trump":
            return self._trumps(self._no_trump_allowed() and self.contract["value"] >= self.options["nt_min_bid"])
        if self.phase == "declare":
            return ["declare", "silent"] if melds_of(self.options, self.hands[self.turn]) else ["silent"]
        if self.phase == "bella":
            return ["bella", "silent"]
        if self.phase == "play":
            return playable_cards(self.options, self.hands[self.turn], [card for _, card in self.trick], self.contract["trump"])
        return []

    def _no_trump_allowed(self) -> bool:
        return self.options["no_trump"] or self.second  # T-fg, Q8

    def _trumps(self, no_trump: bool) -> list[str]:
        """What may become trumps: any suit (T-i), or the upcard's (Q9)."""
        suits = self.upcard[1] if self.upcard else SUITS
        return [f"trump {suit}" for suit in suits] + (["trump NT"] if no_trump else [])

    def _forced(self) -> bool:
        """Whether the last seat has to open (Q4)."""
        return self.options["all_pass"] == "force_dealer" and [text for _, text in self.auction] == ["pass"] * 3

    def _legal_takes(self) -> list[str]:
        """Take with a suit, or pass (4.11, Q32)."""
        return ([] if self._forced() else ["pass"]) + self._trumps(self._no_trump_allowed())

    def _legal_bids(self) -> list[str]:
        """Pass or a higher number (T-d), with a suit where bids name one (T-a)."""
        standing = self._standing()
        lowest = self.options["bid_min"] if standing is None else self._number(standing[1]) + 1
        numbers = [n for n in range(self.options["bid_min"], self.options["bid_max"] + 1, self.options["bid_step"]) if n >= lowest]
        if self._forced():
            return [f"bid {numbers[0]}{suit}" for suit in self._bid_suits()]
        bids = [f"bid {number}{suit}" for number in numbers for suit in self._bid_suits()]
        if self.options["bid_form"] == "number+suit" and self._no_trump_allowed():
            bids += [f"bid {number}NT" for number in numbers if number >= self.options["nt_min_bid"]]
        return ["pass", *bids]

    def _bid_suits(self) -> list[str]:
        if self.options["bid_form"] == "number":
            return [""]
        return [self.upcard[1]] if self.upcard else list(SUITS)

    @staticmethod
    def _number(text: str) -> int:
        return int("".join(letter for letter in text if letter.isdigit()))

    def _standing(self) -> list[Any] | None:
        bids = [call for call in self.auction if call[1] != "pass"]
        return bids[-1] if bids else None

    # ---- step

    def step(self, text: str) -> list[int]:
        """Play the action of the seat to act and return each seat's reward; ValueError if it is not legal."""
        if text not in self.legal():
            raise ValueError(f"seat {self.turn}, phase {self.phase}: {text!r} is not one of {self.legal()}")
        self.history.append([self.turn, text])
        return {"bid": self._call, "trump": self._name, "declare": self._declare, "play": self._play, "bella": self._say_bella}[self.phase](text)

    def _call(self, text: str) -> list[int]:
        for calls in (self.calls, self.auction):
            calls.append([self.turn, text])
        if text.startswith("trump"):
            self.contract = {"seat": self.turn, "value": None, "trump": None}
            return self._name(text)
        if not self._closed():
            passed = [seat for seat, call in self.auction if call == "pass" and self.options["auction"] == "final_pass"]
            self.turn = next(seat % 4 for seat in range(self.turn + 1, self.turn + 5) if seat % 4 not in passed)
        elif self._standing() is None:
            self._nobody_bid()
        else:
            self._take_contract()
        return NOTHING

    def _closed(self) -> bool:
        texts = [text for _, text in self.auction]
        if self.options["close_at_max"] and texts[-1] != "pass" and self._number(texts[-1]) == self.options["bid_max"]:
            return True
        if self._standing() is None or self.options["auction"] == "single_lap":
            return len(texts) == 4
        if self.options["auction"] == "open":
            return texts[-3:] == ["pass"] * 3
        return texts.count("pass") == 3

    def _nobody_bid(self) -> None:
        """A second auction if there is one (Q8), else an uncounted deal (T14, T-g)."""
        if self.options["second_round"] and not self.second:
            self.second = True
            self._open_auction()
            return
        self.passed_deals += 1
        if self.options["all_pass_cap"] is not None and self.passed_deals >= self.options["all_pass_cap"]:
            self._finish("none")
        else:
            self._deal(self.dealer if self.options["all_pass"] == "same_dealer" else (self.dealer + 1) % 4)

    def _take_contract(self) -> None:
        seat, text = self._standing()
        number = self._number(text)
        self.contract = {"seat": seat, "value": number, "trump": None}
        suit = text.removeprefix(f"bid {number}")
        self.turn, self.phase = seat, "trump"
        if suit:
            self._name(f"trump {suit}")

    def _name(self, text: str) -> list[int]:
        """Trumps are known: the rest is dealt, then melds are announced (T15, T16, T-q)."""
        self.contract["trump"] = text.split()[1]
        while self.undealt:
            self._deal_packet()
        self.turn = (self.dealer + 1) % 4
        self.phase = "declare"
        if self.options["auto_declare"]:
            self.announced = [melds_of(self.options, hand) for hand in self.hands]
            self._start_play()
        return NOTHING

    def _declare(self, text: str) -> list[int]:
        if text == "declare":
            self.announced[self.turn] = melds_of(self.options, self.hands[self.turn])
        last = self.turn == self.dealer
        self.turn = (self.turn + 1) % 4
        if last:
            self._start_play()
        return NOTHING

    def _start_play(self) -> None:
        """The dealer's left leads (T25)."""
        self.phase, self.turn = "play", (self.dealer + 1) % 4
        self.leader = self.first_leader = self.turn

    def _play(self, card: str) -> list[int]:
        seat = self.turn
        self.hands[seat].remove(card)
        self.trick.append([seat, card])
        self.turn = (seat + 1) % 4
        if self._is_second_of_bella(seat, card):
            if not self.options["auto_bella"]:
                self.phase, self.turn = "bella", seat
                return NOTHING
            self.bella = seat
        return self._after_card()

    def _is_second_of_bella(self, seat: int, card: str) -> bool:
        """King and queen of trumps from one hand, the other one played before (T17, T-r)."""
        trump = self.contract["trump"]
        other = {"K" + trump: "Q" + trump, "Q" + trump: "K" + trump}.get(card)
        return other is not None and [seat, other] in [play for play in self.history if len(play[1]) == 2]

    def _say_bella(self, text: str) -> list[int]:
        if text == "bella":
            self.bella = self.turn
        self.phase, self.turn = "play", (self.turn + 1) % 4
        return self._after_card()

    def _after_card(self) -> list[int]:
        if len(self.trick) < 4:
            return NOTHING
        cards = [card for _, card in self.trick]
        winner = self.trick[winning_place(cards, self.contract["trump"])][0]
        self.tricks.append([self.leader, cards, winner])
        self.trick, self.leader, self.turn = [], winner, winner
        return self._end_hand() if len(self.tricks) == 9 else NOTHING

    # ---- the end of a hand and of the match

    def _taken(self) -> tuple[list[int], list[int]]:
        """Tricks and card points of each side, with the points of the ninth trick (T31, T33)."""
        tricks, points = [0, 0], [0, 0]
        for number, (_, cards, winner) in enumerate(self.tricks, 1):
            tricks[winner % 2] += 1
            points[winner % 2] += sum(card_value(self.options, card, self.contract["trump"]) for card in cards)
            points[winner % 2] += self.options["last_trick"] if number == 9 else 0
        return tricks, points

    def _rows(self) -> list[list[Any]]:
        """The announced melds from the dealer's left."""
        order = [(self.dealer + 1 + k) % 4 for k in range(4)]
        return [[seat, meld["kind"], meld["top"], meld["points"]] for seat in order for meld in self.announced[seat]]

    def _end_hand(self) -> list[int]:
        seat, bid, trump = self.contract["seat"], self.contract["value"], self.contract["trump"]
        tricks, points = self._taken()
        melds = counted_melds(self.options, self.announced, trump, self.dealer)
        sides = [seat % 2, 1 - seat % 2]
        bella = [self.bella is not None and self.bella % 2 == side for side in sides]
        made, ours, theirs = score_tarabish(
            self.options,
            bid,
            trump == "NT",
            [points[side] for side in sides],
            [tricks[side] for side in sides],
            [melds[side] for side in sides],
            bella,
        )
        scores = [ours, theirs] if sides[0] == 0 else [theirs, ours]
        self.last_hand = {
            "scores": scores, "made": made, "tricks": tricks, "points": points, "contract": dict(self.contract),
            "melds": self._rows(), "bella": self.bella,
        }  # fmt: skip
        self.scores = [self.scores[side] + scores[side] for side in range(2)]
        self.hands_played, self.passed_deals = self.hands_played + 1, 0
        self._after_hand(sides[0])
        gain = scores[0] - scores[1]
        return [gain, -gain, gain, -gain]

    def _after_hand(self, declarers: int) -> None:
        """The game may be over, with it the match, or the next game begins at 0 (Q14)."""
        winner = game_winner(self.options, self.scores, declarers)
        if winner is not None and self.options["best_of"] > 1:
            self.games[winner] += 1
            if self.games[winner] <= self.options["best_of"] // 2:
                winner, self.scores = None, [0, 0]
        if winner is not None or self.episode == "hand":
            self._finish(winner)
        else:
            self._deal((self.dealer + 1) % 4)

    def _finish(self, winner: int | str | None) -> None:
        self.over, self.winner, self.phase = True, winner, "over"
        self.turn, self.leader, self.trick, self.hands, self.undealt = None, None, [], [[], [], [], []], []

    # ---- snapshot

    def _hand(self) -> dict[str, Any]:
        tricks, points = self._taken()
        secret = self.options["deferred"] and not (self.phase == "over" and len(self.tricks) == 9)
        return {"tricks": tricks, "points": points, "melds": [] if secret else self._rows(), "bella": self.bella}

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain JSON values, a copy that later steps leave alone (Q19)."""
        state = {
            "variant": self.variant, "version": self.version, "phase": self.phase, "turn": self.turn,
            "dealer": self.dealer, "first_leader": self.first_leader,
            "hands": [in_order(hand) for hand in self.hands], "undealt": [card for _, packet in self.undealt for card in packet],
            "upcard": self.upcard, "calls": self.calls, "contract": self.contract, "trump": self.contract and self.contract["trump"],
            "trick": {"leader": self.leader, "cards": self.trick}, "tricks": self.tricks, "hand": self._hand(),
            "scores": self.scores, "hands_played": self.hands_played, "passed_deals": self.passed_deals,
            "games": self.games, "streak": None, "last_hand": self.last_hand,
            "winner": self.winner, "history": self.history,
        }  # fmt: skip
        return json.loads(json.dumps(state))
