"""The ground for answers: the words of frames, their form, their making and how they show."""
