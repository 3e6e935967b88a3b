"""All that talks to a Redis server."""
