"""Play in the browser: people and players at one table, on a page that this machine serves to itself.

::

    from timeline_env import play

    session = play.open("timeline", ["person", "projector", "shipped", "mcts:200"])
    print(session.addresses)  # one for each person, and one to watch; the browser shows the first
    session.wait()

The hands of others never leave the program: the page is sent what its seat knows. Needs the extra
``play``; on the command line it is ``timeline-env play``.
"""

from timeline_env.play.session import Session, open, resume
from timeline_env.play.table import PERSON

__all__ = ["PERSON", "Session", "open", "resume"]
