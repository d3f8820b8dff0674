"""Rules as a stranger might send them, and the same with a mistake that shows in play."""

RULES = """game last_one "Take one or two; who takes the last one wins"
players red, blue
state
    left: 0..5 = 5
    turn: player = red

phase take
    turn chooses n in 1..min(2, left)
    left := left - n
    turn := other(turn)
    next end if left == 0 else take

payoff[p] = if p == turn then -1 else 1
"""
FAULTY = RULES.replace("left := left - n", "left := left - n - 1")
