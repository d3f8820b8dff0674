"""A player in twenty lines: it prints what it sees and plays random legal actions.

python first_player.py URL [NAME [COMPETITION [TOKEN_FILE]]]
"""

import random
import sys
from pathlib import Path

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
    url, name, competition, token_file = (sys.argv[1:] + [None] * 4)[:4]
    entering = (competition, None) if competition else None
    print(join(url, FirstPlayer, name or "first-player", entering=entering, token_file=token_file and Path(token_file)))
