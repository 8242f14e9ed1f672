"""A PettingZoo environment that does nothing, written as PettingZoo's own are: what an AEC loop costs before any game is played."""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.agent_selector import AgentSelector

SIZE, ACTIONS, LEGAL = 700, 189, 13
"""Length of the observation and of the mask, about those of our games, and how many actions are legal."""

DECISIONS = 1000
"""Decisions in an episode, so that resets do not count."""


class Idle(AECEnv):
    """Four agents in turn, who see always the same."""

    metadata = {"name": "idle_v0", "render_modes": [], "is_parallelizable": False}

    def __init__(self) -> None:
        super().__init__()
        self.possible_agents = [f"player_{seat}" for seat in range(4)]
        space = Dict({"observation": Box(-128, 127, (SIZE,), np.int8), "action_mask": Box(0, 1, (ACTIONS,), np.int8)})
        self.observation_spaces: dict[str, Any] = dict.fromkeys(self.possible_agents, space)
        self.action_spaces: dict[str, Any] = dict.fromkeys(self.possible_agents, Discrete(ACTIONS))
        mask = np.zeros(ACTIONS, np.int8)
        mask[:LEGAL] = 1
        self._view = {"observation": np.zeros(SIZE, np.int8), "action_mask": mask}

    def observation_space(self, agent: str) -> Any:
        """The same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The same for all."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin again; there is nothing to draw."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._decisions = 0
        self._selector = AgentSelector(self.agents)
        self.agent_selection = self._selector.next()

    def observe(self, agent: str) -> Any:
        """Always the same arrays."""
        return self._view

    def step(self, action: int | None) -> None:
        """Count, and give the turn to the next."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._decisions += 1
        if self._decisions == DECISIONS:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._selector.next()
        self._accumulate_rewards()


def env(wrapped: bool) -> AECEnv:
    """The environment itself, or in the three wrappers that PettingZoo's environments come in."""
    made: AECEnv = Idle()
    if wrapped:
        made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
        made = wrappers.AssertOutOfBoundsWrapper(made)
        made = wrappers.OrderEnforcingWrapper(made)
    return made
