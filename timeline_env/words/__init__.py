"""Games in words: for language models, and for whatever else reads prompts and writes moves.

A decision as a prompt, and the answer as an action; here in a PettingZoo environment::

    from timeline_env import timeline_v0, words

    env = timeline_v0.env(num_players=2)
    env.reset(seed=0)
    question = words.ask(env)
    print(question.prompt())
    env.step(question.read("1"))  # or the move itself; ValueError says in one line what is wrong with an answer

`TextGame` is the same in the shape of TextArena. A player named ``process:COMMAND`` asks a command, see docs/text.md. The
prompt holds what the seat that decides knows, and nothing else.
"""

from timeline_env.words.log import count_log
from timeline_env.words.question import Question, ask
from timeline_env.words.text_game import TextGame

__all__ = ["Question", "TextGame", "ask", "count_log"]
