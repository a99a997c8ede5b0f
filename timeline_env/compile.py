"""``python -m timeline_env.compile``: the same as ``timeline-env compile``."""

import sys

from timeline_env.commands.main import main

if __name__ == "__main__":
    main(["compile", *sys.argv[1:]])
