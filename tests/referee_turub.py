"""Arba'a Turub a second time: slow, obvious, plain Python, to check the fast engine move by move.

Written from RULES.md alone, as `referee` is for Tarneeb; cards, seats and sides are as there. A hand is a list in which a card
stands as often as it is held.
"""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

SUITS, RANKS = "SHDC", "AKQJT9876"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
NOTHING = [0, 0, 0, 0]

Options = dict[str, Any]

TURUB: Options = {
    "packs": 4, "signals": "off", "slam_wins_match": True, "short_win_rotates": False, "game_cap": 50, "cap_result": "draw",
}  # fmt: skip
TURUB_PRESETS: dict[str, Options] = {
    "arbaa-turub": TURUB,
    "arbaa-turub-signals": {**TURUB, "signals": "on"},
    "turup": {**TURUB, "packs": 1},
}
"""What each variant states of itself (A2, A-j, Q21)."""


def playable_cards(hand: list[str], led: str | None) -> list[str]:
    """Follow suit, else anything; a card once, however many copies are held (A10, A-k)."""
    following = [card for card in hand if card[1] == led]
    return sorted(set(following or hand), key=PACK.index)


def winning_place(cards: list[str], trump: str) -> int:
    """Highest trump, else highest of the suit led, of identical cards the first (A11)."""
    running = [card for card in cards if card[1] == trump] or [card for card in cards if card[1] == cards[0][1]]
    best = min(running, key=lambda card: RANKS.index(card[0]))
    return cards.index(best)


def streak_after(holder: int | None, mark: int, tricks: list[int]) -> tuple[int | None, int]:
    """Who holds a first win, and how large it is (A15-A18, A-b, A-d)."""
    if tricks[0] == tricks[1]:
        return holder, mark
    side = 0 if tricks[0] > tricks[1] else 1
    return (holder, mark) if side == holder else (side, tricks[side])


def match_winner(options: Options, holder: int | None, mark: int, tricks: list[int], games: int) -> int | str | None:
    """The side that has won the match, "draw" at the cap, None if it goes on (A15, A-a, Q27); holder and mark are from before the game."""
    for side in (0, 1):
        if options["slam_wins_match"] and tricks[1 - side] == 0:
            return side
        if side == holder and tricks[side] > tricks[1 - side] and tricks[side] > mark:
            return side
    if options["game_cap"] is not None and games >= options["game_cap"]:
        after, _ = streak_after(holder, mark, tricks)
        return after if options["cap_result"] == "holder" and after is not None else "draw"
    return None


def next_dealer(options: Options, dealer: int, holder: int | None, mark: int, tricks: list[int]) -> int:
    """The winners' left-hand opponent deals, so that they name trumps; after a draw, or a win too small, the same seat (A20, A-c, A-n)."""
    if tricks[0] == tricks[1]:
        return dealer
    side = 0 if tricks[0] > tricks[1] else 1
    if side == holder and tricks[side] <= mark and not options["short_win_rotates"]:
        return dealer
    return (dealer + (1 if dealer % 2 == side else 2)) % 4


class TurubReferee:
    """One match of Arba'a Turub under any options of section 7's table: legal, step, turn, over, snapshot.

    A deal is four complete hands, each in the order in which the seat is dealt its cards.
    """

    def __init__(self, variant: str, version: int, options: Options, deals: Iterable[list[list[str]]], dealer: int, episode: str = "match"):
        if set(options) != set(TURUB):
            raise ValueError(f"options {sorted(set(options) ^ set(TURUB))}")
        self.variant, self.version, self.options, self.episode = variant, version, options, episode
        self.whole = 9 * options["packs"]
        self.deals = iter(deals)
        self.scores, self.hands_played = [0, 0], 0
        self.holder: int | None = None
        self.mark = 0
        self.last_hand: dict[str, Any] | None = None
        self.winner: int | str | None = None
        self.over = False
        self._deal(dealer)

    def _deal(self, dealer: int) -> None:
        """One packet of three to the dealer's left, who names trumps on it (A6, A-e)."""
        complete = next(self.deals)
        counts = Counter(card for hand in complete for card in hand)
        if counts != dict.fromkeys(PACK, self.options["packs"]) or [len(hand) for hand in complete] != [self.whole] * 4:
            raise ValueError("a deal is four hands of the cards of all packs")
        self.dealer, self.turn, self.phase = dealer, (dealer + 1) % 4, "trump"
        packets = [((dealer + 1 + k) % 4, k // 4) for k in range(4 * self.whole // 3)]
        self.undealt = [(seat, complete[seat][3 * lap : 3 * lap + 3]) for seat, lap in packets]
        self.hands: list[list[str]] = [[], [], [], []]
        self._deal_packet()
        self.history: list[list[Any]] = []
        self.trump: str | None = None
        self.leader: int | None = None
        self.first_leader: int | None = None
        self.trick: list[list[Any]] = []
        self.tricks: list[list[Any]] = []

    def _deal_packet(self) -> None:
        seat, cards = self.undealt.pop(0)
        self.hands[seat] += cards

    def legal(self) -> list[str]:
        """The texts of all legal actions of the seat to act, empty when over."""
        if self.phase == "trump":
            return [f"trump {suit}" for suit in SUITS]
        if self.phase == "play":
            return playable_cards(self.hands[self.turn], self.trick[0][1][1] if self.trick else None)
        return self._signals() if self.phase == "signal" else []

    def _signals(self) -> list[str]:
        """Silence, a knock, a snap; where they have to be true, the one that is (A-j, Q15)."""
        if self.options["signals"] == "on":
            return ["silent", "knock", "snap"]
        suit = self.trick[0][1][1]
        strong = "A" + suit in self.hands[self.turn] or "K" + suit in self.hands[self.turn]
        return ["silent", "knock" if strong else "snap"]

    def step(self, text: str) -> list[int]:
        """Play the action of the seat to act and return each seat's reward; ValueError if it is not legal."""
        if text not in self.legal():
            raise ValueError(f"seat {self.turn}, phase {self.phase}: {text!r} is not one of {self.legal()}")
        self.history.append([self.turn, text])
        if self.phase == "trump":
            return self._name(text)
        if self.phase == "signal":
            self.phase, self.turn = "play", (self.turn + 1) % 4
            return NOTHING
        return self._play(text)

    def _name(self, text: str) -> list[int]:
        """The rest is dealt and the seat that named trumps leads (A6, A9)."""
        self.trump = text.split()[1]
        while self.undealt:
            self._deal_packet()
        self.phase, self.leader, self.first_leader = "play", self.turn, self.turn
        return NOTHING

    def _play(self, card: str) -> list[int]:
        """One copy leaves the hand; after a lead comes the signal, after the fourth card the next trick (A11-A13, Q15)."""
        self.hands[self.turn].remove(card)
        self.trick.append([self.turn, card])
        if len(self.trick) == 1 and self.options["signals"] != "off":
            self.phase = "signal"
            return NOTHING
        self.turn = (self.turn + 1) % 4
        if len(self.trick) == 4:
            cards = [played for _, played in self.trick]
            winner = self.trick[winning_place(cards, self.trump)][0]
            self.tricks.append([self.leader, cards, winner])
            self.trick, self.leader, self.turn = [], winner, winner
        return self._end_game() if len(self.tricks) == self.whole else NOTHING

    def _taken(self) -> list[int]:
        return [sum(winner % 2 == side for _, _, winner in self.tricks) for side in (0, 1)]

    def _end_game(self) -> list[int]:
        """Tricks are the score; the match ends, or the next game is dealt (A14-A20)."""
        tricks = self._taken()
        self.last_hand = {"scores": tricks, "made": None, "tricks": tricks, "points": [0, 0], "contract": None, "melds": [], "bella": None}
        self.scores = [self.scores[0] + tricks[0], self.scores[1] + tricks[1]]
        self.hands_played += 1
        winner = match_winner(self.options, self.holder, self.mark, tricks, self.hands_played)
        if winner is not None or self.episode == "hand":
            self.over, self.winner, self.phase = True, winner, "over"
            self.turn, self.leader, self.trick, self.hands = None, None, [], [[], [], [], []]
        else:
            dealer = next_dealer(self.options, self.dealer, self.holder, self.mark, tricks)
            self.holder, self.mark = streak_after(self.holder, self.mark, tricks)
            self._deal(dealer)
        gain = tricks[0] - tricks[1]
        return [gain, -gain, gain, -gain]

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain JSON values, a copy that later steps leave alone (Q19)."""
        state = {
            "variant": self.variant, "version": self.version, "phase": self.phase, "turn": self.turn,
            "dealer": self.dealer, "first_leader": self.first_leader,
            "hands": [sorted(hand, key=PACK.index) for hand in self.hands], "undealt": [card for _, packet in self.undealt for card in packet],
            "upcard": None, "calls": [], "contract": None, "trump": self.trump,
            "trick": {"leader": self.leader, "cards": self.trick}, "tricks": self.tricks,
            "hand": {"tricks": self._taken(), "points": [0, 0], "melds": [], "bella": None},
            "scores": self.scores, "hands_played": self.hands_played, "passed_deals": 0, "games": [0, 0],
            "streak": None if self.holder is None else {"team": self.holder, "mark": self.mark}, "last_hand": self.last_hand,
            "winner": self.winner, "history": self.history,
        }  # fmt: skip
        return json.loads(json.dumps(state))
