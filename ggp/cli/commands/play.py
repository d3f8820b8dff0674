"""`ggp play`: a person at the terminal against our players, seeing only what their role may see."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.arguments import BadArgument, GameArgument, ParameterOption, SeedOption, parameters_from, role_number
from ggp.cli.auto_choices import tell_choices
from ggp.cli.game_texts import drawing_text
from ggp.game.history import observed_parts

if TYPE_CHECKING:
    from rich.console import Console

    from ggp.game.game import Game, State
    from players.agents.agent import Agent

HELP = "type an action or its number in the list; `moves` lists actions, `seen` lists your observations, `quit` leaves"


class Left(Exception):
    """The person at the terminal leaves the game."""


def play(
    game: GameArgument,
    parameters: ParameterOption = [],  # noqa: B006 - read only; typer wants a list
    role: Annotated[str | None, typer.Option("--as", metavar="ROLE", help="Your role; the first if not given.")] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="PLAYER",
            help="Players for the other roles, in order; the last one takes the rest; `auto` if none is given.",
        ),
    ] = None,
    play_clock: Annotated[
        float, typer.Option("--play-clock", min=0.01, help="Seconds that a player may think about a move.")
    ] = 1,
    seed: SeedOption = 0,
) -> None:
    """Play a game at the terminal against players such as `rm`, `duct:final=mix` or `random`."""
    from rich.console import Console

    from ggp.cli.playing import make_ready
    from ggp.cli.terminal import no_echo
    from ggp.rules_compiler.loading import load
    from players.agents.registry import read_player

    loaded = load(game, **parameters_from(parameters))
    own = 0 if role is None else role_number(loaded.players, role, loaded.name)
    names = list(against or ["auto"])
    others = [number for number in range(len(loaded.players)) if number != own]
    if len(names) > len(others):
        raise BadArgument(f"{len(names)} players for `--against`, but {loaded.name} has {len(others)} other roles")
    specs = [read_player(name) for name in names]
    agents: dict[int, Agent] = {}
    console = Console(highlight=False)
    tell_choices("ggp play")
    with no_echo():
        # shows its own progress; what `auto` needs is known once it has chosen
        make_ready([spec for spec in specs if spec.kind.name != "auto"], [loaded])
    with no_echo(), console.status("preparing the other players"):
        for place, number in enumerate(others):
            agents[number] = specs[min(place, len(specs) - 1)].make_agent()
            agents[number].start(loaded, number, seed)
    table = Table(loaded, own, agents, play_clock, seed, console)
    try:
        table.play()
    except (Left, EOFError):
        console.print("\nyou left the game", markup=False)


@dataclass
class Table:
    """One game between a person and agents; `own` is the person's role."""

    game: Game
    own: int
    agents: dict[int, Agent]
    play_clock: float
    seed: int
    console: Console

    def play(self) -> None:
        """Play to the end and print the result.

        Raises:
            Left: the person leaves.
        """
        from ggp.arithmetic.rng import seed_word
        from players.beliefs.known_states import KnownStates

        self.rng = [seed_word(self.seed, len(self.game.players))]
        self.told: list[str] = []
        self.known = None if self.game.perfect_information else KnownStates(self.game, self.own)
        title = f"{self.game.name}: {self.game.title}. You are {self.game.players[self.own]}."
        self.console.print(title, style="bold", markup=False)
        self.console.print(HELP, style="dim", markup=False)
        state = self.game.initial()
        self._show(state)
        while not state.is_terminal():
            state = self._after(state)
        self.console.print("\nthe game is over", style="bold", markup=False)
        for name, utility in zip(self.game.players, state.utilities(), strict=True):
            you = "  (you)" if name == self.game.players[self.own] else ""
            self.console.print(f"{name}: {utility:g}{you}", markup=False)

    def _after(self, state: State) -> State:
        """Return the state after the next transition; all players have observed it."""
        if state.is_chance():
            new = state.apply_outcome(state.sample_outcome(self.rng))
            chosen: dict[int, str] = {}
        else:
            chosen = {player: self._choice(state, player) for player in self._in_turn(state)}
            new = state.apply({self.game.players[player]: action for player, action in chosen.items()})
        for player, agent in self.agents.items():
            observation = new.readable_observation(player)
            if observation or player in chosen:
                agent.observe(chosen.get(player), observation)
        self._tell(state, new, chosen)
        return new

    def _in_turn(self, state: State) -> Sequence[int]:
        """Return the players who act, the person last, so that agents need not wait."""
        return sorted(state.actors(), key=lambda player: player == self.own)

    def _choice(self, state: State, player: int) -> str:
        from players.agents.agent import Budget

        if player == self.own:
            return self._ask(state)
        legal = [str(action) for action in state.legal(player)]
        budget = Budget(clock=time.monotonic, deadline=time.monotonic() + self.play_clock)
        return self.agents[player].choose(legal, budget)

    # --- the person ---------------------------------------------------------------------------------------------------

    def _ask(self, state: State) -> str:
        """Return the person's choice; asks until it is a legal action."""
        legal = state.legal(self.own)
        texts = [str(action) for action in legal]
        if len(texts) == 1:
            self.console.print(f"\nyour only action: {texts[0]}", markup=False)
            return texts[0]
        self._show_known(state, texts)
        self._list(texts)
        while True:
            answer = self.console.input(f"{self.game.players[self.own]}> ", markup=False).strip()
            if answer in texts:
                return answer
            if answer in {"quit", "exit", "q"}:
                raise Left
            if answer == "seen":
                self.console.print("\n".join(self.told) or "nothing yet", markup=False)
            elif answer in {"moves", ""}:
                self._list(texts)
            elif answer.removeprefix("#").isdecimal() and 1 <= int(answer.removeprefix("#")) <= len(texts):
                return texts[int(answer.removeprefix("#")) - 1]
            else:
                self._correct(answer, texts)

    def _correct(self, answer: str, texts: Sequence[str]) -> None:
        import difflib

        near = difflib.get_close_matches(answer, texts, n=3)
        hint = f"; did you mean {' or '.join(f'`{text}`' for text in near)}?" if near else f"; {HELP}"
        self.console.print(f"`{answer}` is not one of your actions{hint}", style="red", markup=False)

    def _list(self, texts: Sequence[str]) -> None:
        numbered = [f"#{place} {text}" for place, text in enumerate(texts, 1)]
        width = max(len(text) for text in numbered) + 2
        self.console.print("\nyour actions:", markup=False)
        columns = max(1, (self.console.width - 2) // width)
        for start in range(0, len(numbered), columns):
            row = "".join(text.ljust(width) for text in numbered[start : start + columns])
            self.console.print(f"  {row}".rstrip(), markup=False, soft_wrap=True)

    def _tell(self, old: State, new: State, chosen: Mapping[int, str]) -> None:
        """Show the person's own action and observation of the last transition, and who acted if the role knows that."""
        observation = new.readable_observation(self.own)
        actors: tuple[int, ...] | None = tuple(sorted(chosen))
        if self.known is not None:
            has_part = bool(observation) or self.own in chosen
            actors = self.known.actors_of(chosen.get(self.own), observation) if has_part else None
        elif chosen:
            # actions are shown with their players below: observations of the same choices would repeat them
            said = old.choice_labels()
            observation = [(label, value) for label, value in observation if label not in said]
        seen = [*self._actions_known(chosen), *self._parts(observation, actors)]
        if seen:
            line = ", ".join(seen)
            self.told.append(line)
            self.console.print(f"\n{line}", style="cyan", markup=False)
        if seen or new.is_terminal():
            self._show(new)

    def _parts(self, observation: Sequence[tuple[str, object]], actors: tuple[int, ...] | None) -> Iterator[str]:
        """Yield the person's observation; moves with the name of the player, if only one other player acted."""
        for label, value in observation:
            if label == "move" and actors is not None and len(actors) == 1:
                if actors[0] != self.own:
                    yield f"{self.game.players[actors[0]]}: {value}"
            else:
                yield from observed_parts([(label, value)])

    def _actions_known(self, chosen: Mapping[int, str]) -> Iterator[str]:
        """Yield actions with their players: the person's own, and all of them if the game hides nothing."""
        for player, action in sorted(chosen.items()):
            if player == self.own:
                yield f"you: {action}"
            elif self.game.perfect_information:
                yield f"{self.game.players[player]}: {action}"

    def _show(self, state: State) -> None:
        """Draw the world state if the role knows it; with hidden information, only when the game is over."""
        if self.game.perfect_information or state.is_terminal():
            self.console.print()
            self.console.print(drawing_text(state.drawing()), soft_wrap=True)

    def _show_known(self, state: State, legal: Sequence[str]) -> None:
        """Draw what the role knows of a game with hidden information: what is certain, or else its `display for`."""
        if self.known is None:
            return
        drawing = self.known.drawing(legal)
        if drawing is None and self.game.codec.has_views:
            drawing = state.drawing(self.own)
        if drawing is not None:
            self.console.print("\nwhat you know; ? is unknown to you", style="dim", markup=False)
            self.console.print(drawing_text(drawing), soft_wrap=True)
