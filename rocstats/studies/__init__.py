"""The studies with their questions: classes, constructors, imported models."""
