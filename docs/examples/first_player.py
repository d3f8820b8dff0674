"""A player in twenty lines: it prints what it sees and plays random legal actions."""

import random
import sys

from players.client import MatchPlayer, join


class FirstPlayer(MatchPlayer):
    def start(self, start, deadline):
        print(f"a match of {start.game} as {start.role}, {start.play_clock_ms} ms a decision")

    def observe(self, observe):
        for seen in observe.observation:
            print(f"  {seen.label}: {seen.value}")

    def choose(self, turn):
        return random.choice(turn.legal)

    def end(self, end):
        print(f"  {end.result}: {end.utilities}")


if __name__ == "__main__":
    print(join(sys.argv[1], FirstPlayer, name="first-player"))
