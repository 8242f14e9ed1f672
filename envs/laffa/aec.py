"""The PettingZoo environment: a batch of one, translated; there are no rules in here.

PettingZoo's usual wrappers cost more time than a whole step, so their checks of order and range are
made inside, with messages that say what is wrong, and the environment is returned as it is.
"""

import secrets
import warnings
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv

from laffa import engine, layout, observe
from laffa.batch import IllegalAction, illegal_action
from laffa.cards import ACTIONS
from laffa.checks import check_episode, check_seed, check_word
from laffa.jit import announce, kernel
from laffa.position import read_position, set_up
from laffa.rules import Rules, load
from laffa.snapshot import snapshot
from laffa.state import HISTORY, STATE, records
from laffa.sweep import pay
from laffa.table import table
from laffa.turn import Blinds, Turn, blank_turn

AGENTS = ("player_0", "player_1", "player_2", "player_3")
RENDER_MODES = ("ansi", "human")
ILLEGAL_REWARD = -1.0

# Names of the module: looked up at every decision, and numpy takes a type faster than the class that stands for it.
_EMPTY, _INT8, _SIZE = np.empty, np.dtype(np.int8), layout.SIZE
_TURN_SHIFT = 2
_EVENTS = engine.HAND_COUNTED | engine.EPISODE_OVER


@kernel
def _step(r, states, action, episode, max_hands, outcome, reward):
    """One step of one game: the engine's event bits and, above them, the seat to act; -1 for an illegal action, which changes nothing."""
    s = states[0]
    p = s.public
    if p.turn < 0 or not engine.contains(engine.legal(r[0], p, s.held[p.turn]), action):
        return -1
    event = engine.step(r[0], s, action, episode, max_hands)
    if event:
        pay(p, event, episode, outcome, reward)
    return event | (np.int64(p.turn) & 3) << _TURN_SHIFT


@kernel
def _observe(r, states, seat, live, obs, mask):
    """The view and the mask of any seat; the mask is all zero unless the seat is to act."""
    s = states[0]
    p = s.public
    observe.write(r[0], p, s.hands[seat], s.declared[seat], seat, obs)
    if live and p.turn == seat:
        observe.write_mask(engine.legal(r[0], p, s.held[seat]), mask)
    else:
        mask[:] = 0


@kernel
def _observe_state(r, states, seat, out):
    observe.write_state(r[0], states[0], seat, out)


@kernel
def _observe_events(r, states, seat, out):
    observe.write_events(r[0], states[0].public, states[0].declared[seat], seat, out)


class CardGame(AECEnv):
    """One game for four agents "player_0" … "player_3"; 0 and 2 are partners against 1 and 3.

    Observations are `{"observation": int8 [D], "action_mask": int8 [A]}`, laid out by
    `laffa.observation_layout`; a waiting agent's mask is all zero. Rewards come when a counted hand
    ends (`reward="score"`: own side's score minus the other's) or at the end (`"outcome"`: +1, 0, -1).

    Args:
        variant: an id of `laffa.variants()`, or `Rules`.
        episode: "match", or "hand" to end after one counted hand.
        reward: "score" or "outcome".
        illegal: "raise" an `IllegalAction` and change nothing, or "terminate" with -1 for the agent.
        render_mode: None, "ansi" (`render` returns text) or "human" (`render` prints it).
        events: adds "events", int16 [192], the public history of the hand as tokens.
        max_hands: counted hands since the reset after which the episode is truncated.
        overrides: options of the variant.

    Raises:
        ValueError: for anything that cannot be, naming what can.
    """

    def __init__(
        self,
        variant: str | Rules,
        *,
        episode: str = "match",
        reward: str = "score",
        illegal: str = "raise",
        render_mode: str | None = None,
        events: bool = False,
        max_hands: int | None = None,
        **overrides: Any,
    ) -> None:
        super().__init__()
        self.rules = load(variant, **overrides)
        if render_mode is not None:
            check_word("render_mode", render_mode, RENDER_MODES)
        self._episode, self._outcome, self._max_hands = check_episode(episode, reward, max_hands)
        self._terminate = check_word("illegal", illegal, ("raise", "terminate")) == 1
        self._events = events
        self.render_mode = render_mode
        self.metadata = {
            "name": f"laffa/{self.rules.variant}-v{self.rules.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": True,
            "render_fps": 2,
        }
        self.possible_agents = list(AGENTS)
        self.agents = []
        self._seats = {agent: seat for seat, agent in enumerate(AGENTS)}
        spaces: dict[str, Any] = {"observation": Box(-128, 127, (layout.SIZE,), np.int8), "action_mask": Box(0, 1, (ACTIONS,), np.int8)}
        if events:
            spaces["events"] = Box(0, 4 * ACTIONS, (HISTORY,), np.int16)
        self.observation_spaces: dict[str, Any] = {agent: Dict(spaces) for agent in AGENTS}
        self.action_spaces: dict[str, Any] = {agent: Discrete(ACTIONS) for agent in AGENTS}
        self.state_space = Box(-128, 127, (layout.STATE_SIZE,), np.int8)
        self._states = records(1, STATE)
        self._packed = self.rules.packed
        self._paid = np.zeros(4, np.float32)
        self._started = False  # whether there is a seed to go on with
        self._ready = False  # whether a game stands between two steps: not before a reset, nor after a call that was broken off
        announce()

    def observation_space(self, agent: str) -> Dict:
        """The space of `observe(agent)`, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The action space, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match.

        Args:
            seed: begins game 0 of that seed; without one the next match of the running seed begins, as in a batch.
            options: a position: "dealer", "hands", "scores", "games", "streak", "hands_played", "passed_deals".

        Raises:
            ValueError: for a seed or a position that cannot be; the game goes on as it was then.
        """
        position = read_position(self.rules, options)
        if seed is not None:
            seed = check_seed(seed)
        elif not self._started:
            seed = secrets.randbits(62)
        self._started = self._ready = False
        set_up(self.rules, self._states, seed, position)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None
        self._live = True
        self._clear = False
        self.agent_selection = AGENTS[self._states["public"]["turn"][0]]
        self._started = self._ready = True

    def __setstate__(self, state: dict[str, Any]) -> None:
        """A copied array of rules would be writable, which is another type for compiled code."""
        self.__dict__.update(state)
        self._packed = self.rules.packed

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation (or None), reward since its last turn, terminated, truncated and info of the selected agent."""
        if not self._ready:
            self._need_reset("last")
        agent = self.agent_selection
        view = self.observe(agent) if observe else None
        return view, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], self.infos[agent]

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """The selected agents, one after another, until all have left."""
        self._need_reset("agent_iter")
        return super().agent_iter(max_iter)

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What `agent` sees, in new arrays; asking changes nothing."""
        if not self._ready:
            self._need_reset("observe")
        seat = self._seats.get(agent)
        if seat is None:
            raise ValueError(f"there is no agent {agent!r}; the agents are {', '.join(AGENTS)}")
        obs, mask = _EMPTY(_SIZE, _INT8), _EMPTY(ACTIONS, _INT8)
        _observe(self._packed, self._states, seat, self._live, obs, mask)
        view: dict[str, NDArray[Any]] = {"observation": obs, "action_mask": mask}
        if self._events:
            view["events"] = np.empty(HISTORY, np.int16)
            _observe_events(self._packed, self._states, seat, view["events"])
        return view

    def step(self, action: Any) -> None:
        """Play the selected agent's action; None for an agent that is done.

        Raises:
            IllegalAction: with `illegal="raise"`; nothing has changed then.
        """
        if not self._ready:
            self._need_reset("step")
        if not self._live:
            self._step_dead(action)
            return
        whole = (type(action) is int or (isinstance(action, (int, np.integer)) and not isinstance(action, bool))) and -1 < action < ACTIONS
        self._ready = False  # until the end of this, so that a step that is broken off in between is not taken for a whole one
        stepped = _step(self._packed, self._states, int(action), self._episode, self._max_hands, self._outcome, self._paid) if whole else -1
        if stepped < 0:
            self._refuse(action)
            self._ready = True
            return
        event = int(stepped) & _EVENTS
        self._cumulative_rewards[self.agent_selection] = 0.0
        if event or self._clear:
            self._pay(event)
        if event & engine.EPISODE_OVER:
            self._end()
        else:
            self.agent_selection = AGENTS[stepped >> _TURN_SHIFT]
        self._ready = True

    def _pay(self, event: int) -> None:
        """Set this step's rewards, which the next step clears, and add them up."""
        paid = self._paid.tolist() if event else (0.0, 0.0, 0.0, 0.0)
        self._clear = event != 0
        self.rewards = dict(zip(AGENTS, paid, strict=True))
        for agent in self.agents:
            self._cumulative_rewards[agent] += self.rewards[agent]

    def _end(self) -> None:
        """All four agents are done in the same step."""
        truncated = bool(self._states["public"]["truncated"][0])
        self.terminations = dict.fromkeys(self.agents, not truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.agent_selection = self.agents[0]
        self._live = False

    def _step_dead(self, action: Any) -> None:
        if not self.agents:
            raise ResetNeeded("the episode is over and every agent has left; call reset() to begin another")
        if action is not None:
            raise ValueError(f"{self.agent_selection} is done, so the only action left is None, not {action!r}")
        self._ready = False
        self._was_dead_step(action)
        self._ready = True

    def _refuse(self, action: Any) -> None:
        """An illegal action: raise and change nothing, or end the game with a penalty for its agent."""
        if not self._terminate:
            self._ready = True
            raise illegal_action(self.rules, self._states[0], action)
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0) | {agent: ILLEGAL_REWARD}
        self._cumulative_rewards[agent] = ILLEGAL_REWARD
        self._end()
        self.infos[agent] = {"illegal_action": str(illegal_action(self.rules, self._states[0], action))}

    def turn(self) -> Turn:
        """The selected agent's turn as a batch of one, so that `laffa.players` can be asked: `player.act(env.turn())[0]`."""
        self._need_reset("turn")
        if not self._live:
            raise ResetNeeded("the episode is over, so nobody is to act; call reset() to begin another")
        before = self._states.copy()
        turn = blank_turn(1, False, self._events, Blinds(before))
        view = self.observe(self.agent_selection)
        turn.seat[0] = before["public"]["turn"][0]
        turn.obs[0], turn.mask[0] = view["observation"], view["action_mask"]
        if turn.events is not None:
            turn.events[0] = view["events"]
        turn.reward[0] = [self.rewards[agent] for agent in AGENTS]
        return turn

    def state(self) -> NDArray[np.int8]:
        """Everything, all four hands included, seen from player_0: int8 [S], for centralised critics."""
        self._need_reset("state")
        out = np.empty(layout.STATE_SIZE, np.int8)
        _observe_state(self._packed, self._states, 0, out)
        return out

    def snapshot(self) -> dict[str, Any]:
        """The full state as a plain dict that JSON can hold."""
        self._need_reset("snapshot")
        return snapshot(self.rules, self._states[0])

    def table(self, seat: int | None = None) -> str:
        """The position as lines of text: what `seat` knows, or with None all hands open."""
        self._need_reset("table")
        return table(self.rules, self._states[0], seat)

    def render(self) -> str | None:
        """The table as text, all hands open: returned for "ansi", printed for "human"."""
        self._need_reset("render")
        if self.render_mode is None:
            warnings.warn(f"this environment was made without a render_mode; it can be {' or '.join(RENDER_MODES)}", stacklevel=2)
            return None
        if self.render_mode == "ansi":
            return self.table()
        print(self.table())  # noqa: T201 - what "human" means
        return None

    def close(self) -> None:
        """Nothing is held open."""

    def __str__(self) -> str:
        return self.metadata["name"]

    def _need_reset(self, name: str) -> None:
        if not self._ready:
            why = ": the last call was broken off in the middle" if self._started else ""
            raise ResetNeeded(f"reset() must be called before {name}(){why}")


def env(variant: str | Rules, **options: Any) -> CardGame:
    """The AEC environment of a variant; see `CardGame` for the options."""
    return CardGame(variant, **options)


raw_env = env
"""The same: there are no wrappers to leave out."""


__all__ = ["CardGame", "IllegalAction", "env", "raw_env"]
