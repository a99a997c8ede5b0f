"""The arena: tournaments between any players, what they say about each player's strength, and the page that shows it.

``schedule`` says who meets whom and who sits where, ``tournament`` plays it on all cores, ``played`` reads and writes
the file of its games, ``statistics`` and ``ratings`` compute what the games say, ``figures`` and ``page`` show it.
"""
