"""Cards and actions as integers, and their texts.

A card is `13 * suit + rank`: suits 0-3 are S H D C, ranks 0-12 are 2 3 … 9 T J Q K A. Packs without
low cards simply never use their numbers, so 52 places serve every game. The same integer is the
action of playing the card; the calls come after the cards and have the same ids in all variants.
"""

SUITS = "SHDC"
RANKS = "23456789TJQKA"
NINE, TEN, JACK, QUEEN, KING, ACE = range(7, 13)
CARDS = 52
NO_TRUMP = 4
DENOMINATIONS = ("S", "H", "D", "C", "NT")

# Action ids. A bid is a level of a ladder; `Rules.value` turns a level into the number that is called.
LEVELS = 21
PASS = CARDS
BID = PASS + 1
TRUMP = BID + LEVELS
DECLARE = TRUMP + 5
SILENT = DECLARE + 1
BELLA = SILENT + 1
KNOCK = BELLA + 1
SNAP = KNOCK + 1
BID_NT = SNAP + 1
BID_SUIT = BID_NT + LEVELS
ACTIONS = BID_SUIT + 4 * LEVELS

WORDS = {PASS: "pass", DECLARE: "declare", SILENT: "silent", BELLA: "bella", KNOCK: "knock", SNAP: "snap"}


def card_text(card: int) -> str:
    """Two letters, rank then suit: "AS", "TH", "2C"."""
    return RANKS[card % 13] + SUITS[card // 13]


def card_id(text: str) -> int:
    """The integer of a card's text; a `ValueError` names what is not a card."""
    if isinstance(text, str) and len(text) == 2 and text[0] in RANKS and text[1] in SUITS:
        return 13 * SUITS.index(text[1]) + RANKS.index(text[0])
    raise ValueError(f"{text!r} is not a card; a card is a rank of {RANKS} and a suit of {SUITS}, such as 'AS' or 'TH'")


def sort_cards(cards: list[int]) -> list[int]:
    """Cards in the order people hold them: S H D C, ace first."""
    return sorted(cards, key=lambda card: (card // 13, -(card % 13)))
