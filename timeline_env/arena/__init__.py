"""The arena: tournaments between any players, what they say of each player's strength, and the page that shows it.

``schedule`` says who meets whom and who sits where, ``tournament`` plays it on all cores, ``played`` is the file of its games,
``statistics`` and ``ratings`` are what the games say, ``figures`` and ``page`` show it.
"""
