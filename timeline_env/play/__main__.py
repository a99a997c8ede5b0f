"""``python -m timeline_env.play``: the command, until there is one for all."""

from timeline_env import cli
from timeline_env.commands.play import play

cli.run(play)
