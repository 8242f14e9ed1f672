"""The rules of Arba'a Turub in plain words: one sentence an item, with the codes it stands for."""

from laffa.rules import Rules
from laffa.sentence import Sentence


def describe(rules: Rules) -> list[Sentence]:
    """The rules of a variant in the order in which people explain a game."""
    return [*_table(rules), *_play(rules), *_signals(rules), *_match(rules)]


def _table(rules: Rules) -> list[Sentence]:
    packs = "One pack" if rules.packs == 1 else "Four identical packs, shuffled together,"
    return [
        Sentence("Four players, partners opposite; seats 0 and 2 play seats 1 and 3 (A1)."),
        Sentence(f"{packs} of 36 cards, A K Q J 10 9 8 7 6 in four suits: {rules.whole} cards each (A2, A6).", ("packs",)),
        Sentence("The first dealer is drawn at random (A4, A-g)."),
        Sentence("The dealer's left gets three cards and names the trump suit while nobody else has a card (A6, A-e, A-f)."),
        Sentence("Then all other cards are dealt (A6)."),
    ]


def _play(rules: Rules) -> list[Sentence]:
    lines = [
        Sentence("The dealer's left leads the first trick, the winner of a trick the next (A9, A12)."),
        Sentence("Follow suit if you can; without the suit led play any card (A10)."),
        Sentence("The highest trump wins the trick, else the highest card of the suit led (A11)."),
    ]
    if rules.packs > 1:
        lines.append(Sentence("Of identical cards the one that was played first is the higher (A11, A-k).", ("packs",)))
    return lines


def _signals(rules: Rules) -> list[Sentence]:
    if rules.signals == "off":
        return [Sentence("Nobody signals (A-j).", ("signals",))]
    lines = [Sentence("After every lead its player may knock for a strong suit or snap for a weak one; all hear it (A13, A-j, Q15).", ("signals",))]
    if rules.signals == "truthful":
        true = "He may knock only with the ace or the king of that suit still in hand, and snap only without both (A-j)."
        lines.append(Sentence(true, ("signals",)))
    return lines


def _match(rules: Rules) -> list[Sentence]:
    short = "as the winner's" if rules.short_win_rotates else "as a draw"
    half = rules.whole // 2
    level = [Sentence(f"The side with more tricks wins the game; {half} to {half} is a draw (A14).")]
    if rules.whole % 2:
        level = [Sentence("The side with more tricks wins the game (A14).")]
    lines = [
        *level,
        Sentence("The match goes to the side that wins twice with no win of the others in between, the second time with more tricks (A15-A18, A-d)."),
        Sentence(f"A second win that is no larger changes nothing and counts {short} for the deal (A16, A-b, A-c).", ("short_win_rotates",)),
    ]
    slam = "win the match at once" if rules.slam_wins_match else "are a win like any other, though no later one can be larger"
    lines.append(Sentence(f"All {rules.whole} tricks {slam} (A-a).", ("slam_wins_match",)))
    lines.append(Sentence("When the dealer's side has won, the next seat deals; when it has lost, the dealer's partner (A20, A-n)."))
    lines.append(Sentence("After a draw the same seat deals again (A20)."))
    if rules.game_cap is None:
        return [*lines, Sentence("A match may take any number of games (A-a, Q1).", ("game_cap",))]
    end = "is a draw" if rules.cap_result == "draw" else "goes to the side that won last, if there is one"
    return [*lines, Sentence(f"After {rules.game_cap} games the match {end} (A-a, Q1, Q27).", ("game_cap", "cap_result"))]
