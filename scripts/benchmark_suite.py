"""The same as ``timeline-env benchmark playing``, for a clone."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env.commands.main import main

if __name__ == "__main__":
    main(["benchmark", "playing", *sys.argv[1:]])
