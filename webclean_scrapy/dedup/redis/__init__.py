"""Everything that talks to a Redis server."""
