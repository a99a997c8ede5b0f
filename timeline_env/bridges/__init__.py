"""The games for libraries of algorithms that have an interface of their own."""
