"""What the documentation site makes from the code while it is built: environments' pages, pictures, pages of files."""
