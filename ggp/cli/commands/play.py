"""`ggp play`: a person at the terminal against our players, seeing only what their role may see."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from ggp.cli.arguments import BadArgument, game_argument, parameter_option, parameters_from, role_number
from ggp.cli.auto_choices import tell_choices, tell_no_repairs
from ggp.cli.game_texts import drawing_text
from ggp.cli.typed_actions import ActionNumbers
from ggp.encoding.readable import Readable
from ggp.scene.terminal import drawing_of

if TYPE_CHECKING:
    from rich.console import Console

    from ggp.game.state import State
    from studio.bots import Bot
    from studio.table import Table

HELP = """type an action, a part of it that no other has (`e2e4`, `r 2`), or its number, which it keeps
  moves   your legal actions         hint    what `auto` would play
  seen    what you were told         undo    take your last move back
  rules   the rules of the game      ?       this help
  quit    leave"""
BARE = re.compile(r"(?:(?:yes|no|-?\d+) ?)+")
"""Actions that tell nothing without the names of what is chosen."""
SHORT_HELP = "type an action, a part of it or its number; `?` helps"
MAX_SEED = 1_000_000


class Left(Exception):
    """The person at the terminal leaves the game."""


@click.command()
@game_argument
@parameter_option
@click.option("--as", "role", metavar="ROLE", help="Your role; the first if not given.")
@click.option(
    "--against",
    multiple=True,
    metavar="PLAYER",
    help="Players for the other roles, in order; the last one takes the rest; `auto` if none is given.",
)
@click.option(
    "--play-clock", type=click.FloatRange(min=0.01), default=1, help="Seconds that a player may think about a move."
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="Seed of all chance, such as that of an earlier game.",
    show_default="a new one",
)
def play(
    game: str,
    parameters: tuple[str, ...],
    role: str | None,
    against: tuple[str, ...],
    play_clock: float,
    seed: int | None,
) -> None:
    """Play a game at the terminal against players such as `rm`, `duct:final=mix` or `random`."""
    from rich.console import Console

    from ggp.cli.playing import make_ready
    from ggp.cli.terminal import no_echo
    from ggp.language import load_rules
    from ggp.rules_compiler.loading import load
    from players.agents.registry import read_player
    from studio.bots import Bot
    from studio.table import Table

    loaded = load(game, **parameters_from(parameters))
    own = 0 if role is None else role_number(loaded.players, role, loaded.name)
    names = list(against or ["auto"])
    others = [number for number in range(len(loaded.players)) if number != own]
    if len(names) > len(others):
        raise BadArgument(f"{len(names)} players for `--against`, but {loaded.name} has {len(others)} other roles")
    specs = [read_player(name) for name in names]
    bots = {number: Bot(specs[min(place, len(specs) - 1)], number, play_clock) for place, number in enumerate(others)}
    console = Console(highlight=False)
    tell_choices("ggp play")
    tell_no_repairs()
    table = Table(loaded, secrets.randbelow(MAX_SEED) if seed is None else seed)
    with no_echo():
        # shows its own progress; what `auto` needs is known once it has chosen
        make_ready([spec for spec in specs if spec.kind.name != "auto"], [loaded])
    with no_echo(), console.status("preparing the other players"):
        for bot in bots.values():
            bot.prepare(table)
    helper = Bot(read_player("auto"), own, play_clock)
    try:
        Play(table, own, bots, helper, load_rules(game)[0].text, console).play()
    except (Left, EOFError):
        console.print("\nyou left the game", markup=False)


@dataclass
class Play:
    """A person at a table with bots; `own` is the person's role, `helper` plays it for hints."""

    table: Table
    own: int
    bots: Mapping[int, Bot]
    helper: Bot
    rules: str
    console: Console
    told: dict[int, str] = field(default_factory=dict)
    """What the person did and was told, by the number of the position to which that led."""
    numbers: ActionNumbers = field(default_factory=ActionNumbers)
    shown: str = ""
    """The last drawing."""

    def play(self) -> None:
        """Play to the end and print the result.

        Raises:
            Left: the person leaves.
        """
        table, game = self.table, self.table.game
        title = game.title if game.title.endswith((".", "!", "?")) else f"{game.title}."
        self._say(f"{game.name}: {title} You are {game.players[self.own]}.", style="bold")
        self._say(f"{SHORT_HELP}; --seed {table.seed} deals this game again", style="dim")
        if game.perfect_information and table.waiting():
            self._show()
        while not table.is_over:
            if not table.draw() and not self._act():
                continue  # a move was taken back
            self._tell()
        self._say("\nthe game is over", style="bold")
        if not game.perfect_information:
            self._show()
        utilities = table.history.state.utilities()
        self._say(verdict(game.players, utilities, self.own, shared=table.has_shared_result), style="bold")
        for number, (name, utility) in enumerate(zip(game.players, utilities, strict=True)):
            self._say(f"{name}: {utility:g}{'  (you)' if number == self.own else ''}")

    def _act(self) -> bool:
        """Let all choose who have to, the person last, so that bots need not wait; return False if it took back."""
        for role in sorted(self.table.waiting(), key=lambda role: role == self.own):
            action = self._ask(self.table.history.state) if role == self.own else self.bots[role].choose(self.table)
            if action is None:
                return False
            self.table.choose(role, action)
        return True

    def _say(self, text: str, style: str | None = None) -> None:
        self.console.print(text, style=style, markup=False)

    # --- the person ---------------------------------------------------------------------------------------------------

    def _ask(self, state: State) -> str | None:
        """Return the person's choice, None if it takes a move back; asks until it is a legal action."""
        texts = [str(action) for action in state.legal(self.own)]
        if len(texts) == 1:
            self._say(f"\nyour only action: {texts[0]}")
            return texts[0]
        if not self.table.game.perfect_information or self._drawn() != self.shown:
            self._show()  # phases in which nobody acts change what is seen, too
        self._list(texts)
        while True:
            answer = self.console.input(f"{self.table.game.players[self.own]}> ", markup=False).strip()
            if answer not in texts and answer.lower() in ("undo", "back"):
                if self._undo():
                    return None
            elif answer in texts or not self._command(answer.lower(), texts):
                meant = self.numbers.meant(answer, texts)
                if len(meant) == 1:
                    return meant[0]
                self._correct(answer, meant, texts)

    def _command(self, answer: str, texts: Sequence[str]) -> bool:
        """Do what is not an action; return whether it was that."""
        if answer in ("quit", "exit", "q"):
            raise Left
        if answer in ("?", "help"):
            self._say(HELP)
        elif answer == "rules":
            self.console.print(self.rules.rstrip(), markup=False, soft_wrap=True)
        elif answer == "seen":
            self._say("\n".join(self.told.values()) or "nothing yet")
        elif answer == "hint":
            with self.console.status("thinking"):
                advice = self.helper.choose(self.table)
            self._say(f"`auto` would play {advice}")
        elif answer in ("moves", ""):
            self._list(texts)
        else:
            return False
        return True

    def _undo(self) -> bool:
        """Go back to the person's last choice; return False where there is none."""
        for at in range(len(self.table.positions) - 2, -1, -1):
            state = self.table.positions[at].state
            if self.own in state.actors() and len(state.legal(self.own)) > 1:
                self.table.back(at)
                self.told = {to: line for to, line in self.told.items() if to <= at}
                self._say("\nyour last move is taken back")
                if self.table.game.perfect_information:
                    self._show()
                return True
        self._say("there is no move of yours to take back")
        return False

    def _correct(self, answer: str, meant: Sequence[str], texts: Sequence[str]) -> None:
        import difflib

        if meant:
            more = f" and {len(meant) - 8} more" if len(meant) > 8 else ""
            return self._say(f"`{answer}` may be {', '.join(meant[:8])}{more}", style="red")
        near = difflib.get_close_matches(answer, texts, n=3)
        hint = f"; did you mean {' or '.join(f'`{text}`' for text in near)}?" if near else f"; {SHORT_HELP}"
        return self._say(f"`{answer}` is not one of your actions{hint}", style="red")

    def _list(self, texts: Sequence[str]) -> None:
        numbered = [f"#{self.numbers.number(text)} {text}" for text in texts]
        width = max(len(text) for text in numbered) + 2
        state, names = self.table.history.state, dict[str, None]()
        if all(map(BARE.fullmatch, texts)):
            parts = state.game.codec.action_parts(state.parse_action(self.own, texts[0]), state.words[0])
            names = dict.fromkeys(part.name.partition("[")[0] for part in parts)
        self._say(f"\nyour actions ({', '.join(names)}):" if names else "\nyour actions:")
        columns = max(1, (self.console.width - 2) // width)
        for start in range(0, len(numbered), columns):
            row = "".join(text.ljust(width) for text in numbered[start : start + columns])
            self.console.print(f"  {row}".rstrip(), markup=False, soft_wrap=True)

    # --- what the person is told --------------------------------------------------------------------------------------

    def _tell(self) -> None:
        """Show the person's own action and observation of the last transition, and who acted if the role knows that."""
        table, at = self.table, len(self.table.positions) - 1
        old, new, chosen = table.positions[-2].state, table.history.state, table.made[-1].actions
        observation = new.readable_observation(self.own)
        actors: tuple[int, ...] | None = tuple(sorted(chosen))
        if not table.game.perfect_information:
            actors = table.actors_known(self.own, at)
        elif chosen:
            # actions are shown with their players below: observations of the same choices would repeat them
            said = old.choice_labels()
            observation = [(label, value) for label, value in observation if label not in said]
        # what the person did is told below, too
        observation = [told for told in observation if told != ("move", chosen.get(self.own))]
        seen = [*self._actions_known(chosen), *self._parts(observation, actors)]
        if seen:
            self.told[at] = ", ".join(seen)
            # several sets that have no names say nothing to a person: the drawing shows what they tell
            if sum(part.startswith("{") for part in seen) > 2:
                seen = [part for part in seen if not part.startswith("{")]
            dealt_on = not chosen and at - 1 in self.told and not table.made[-2].actions  # draws stand below each other
            if seen:
                self._say(f"{'' if dealt_on else chr(10)}{', '.join(seen)}", style="cyan")
        if table.game.perfect_information and (seen or new.is_terminal()):
            self._show()

    def _parts(self, observation: Sequence[tuple[str, Readable]], actors: tuple[int, ...] | None) -> Iterator[str]:
        """Yield the person's observation; moves with the name of the player, if only one other player acted."""
        for (label, value), plain in zip(observation, self.table.plain(observation), strict=True):
            if label == "move" and actors is not None and len(actors) == 1:
                if actors[0] != self.own:
                    yield f"{self.table.game.players[actors[0]]}: {value}"
            else:
                yield plain

    def _actions_known(self, chosen: Mapping[int, str]) -> Iterator[str]:
        """Yield actions with their players: the person's own, and all of them if the game hides nothing."""
        for player, action in sorted(chosen.items()):
            if player == self.own:
                yield f"you: {action}"
            elif self.table.game.perfect_information:
                yield f"{self.table.game.players[player]}: {action}"

    def _show(self) -> None:
        """Draw what the role may see: everything, its `display for`, or else what is certain."""
        scene, certain = self.table.scene(self.own, len(self.table.positions) - 1)
        if scene is None:
            return
        if not self.table.game.perfect_information and not self.table.is_over:
            known = "what you know" if certain else "what you seem to know, from a sample of what is possible"
            self._say(f"\n{known}; ? is unknown to you", style="dim")
        else:
            self.console.print()
        self.console.print(drawing_text(drawing_of(scene)), soft_wrap=True)
        self.shown = self._drawn()

    def _drawn(self) -> str:
        scene, _certain = self.table.scene(self.own, len(self.table.positions) - 1)
        return "" if scene is None else str(drawing_of(scene))


def verdict(players: Sequence[str], utilities: Sequence[float], own: int, *, shared: bool = False) -> str:
    """Return how the game ended for a player, in words; `shared`: for all of them."""
    best = max(utilities)
    if len(players) == 1 or shared:
        return f"your result is {best:g}"
    if min(utilities) == best:
        return "a draw" if best == 0 else f"all get {best:g}"
    winners = [name for number, name in enumerate(players) if utilities[number] == best and number != own]
    if utilities[own] == best:
        return f"you won, with {' and '.join(winners)}" if winners else "you won"
    return f"you lost: {' and '.join(winners)} won"
