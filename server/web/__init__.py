"""Pages for browsers: plain HTML, one style sheet and a little JavaScript that reads the manager's API."""
