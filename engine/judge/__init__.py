"""The judge: from what was seen to what is said."""

from engine.judge.hypotheses import expect
from engine.judge.judge import judge
from engine.judge.unsure_boards import judge_from
from engine.judge.verdict import COUNTS, Evidence, Explanation, Fault, Timeline, Verdict

__all__ = ["COUNTS", "Evidence", "Explanation", "Fault", "Timeline", "Verdict", "expect", "judge", "judge_from"]
