"""Who learns: three programs that offer the same few methods."""
