"""The subcommands of ``timeline-env``: a module each, with a function of the command's name."""
