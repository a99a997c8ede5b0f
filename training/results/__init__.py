"""What is noted while a learner learns, and its pictures."""
