-- The state of watched sites, in SQLite.
CREATE TABLE watch_header (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sites (
    site INTEGER PRIMARY KEY, home TEXT UNIQUE NOT NULL, round INTEGER NOT NULL DEFAULT 0,
    leads_to TEXT NOT NULL DEFAULT '',  -- where the first page redirects to
    failing INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0,  -- since, rounds
    wait_until INTEGER NOT NULL DEFAULT 0,
    began INTEGER NOT NULL DEFAULT 0, ended INTEGER NOT NULL DEFAULT 0,  -- first and last round
    articles INTEGER NOT NULL DEFAULT 0, low INTEGER NOT NULL DEFAULT 0,  -- of low confidence
    fruitful INTEGER NOT NULL DEFAULT 0,  -- rounds with new articles
    last_new INTEGER NOT NULL DEFAULT 0, latest TEXT NOT NULL DEFAULT ''  -- new in each
);
CREATE TABLE robots (host TEXT PRIMARY KEY, body BLOB NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (
    source INTEGER PRIMARY KEY, site INTEGER NOT NULL, url TEXT NOT NULL, kind TEXT NOT NULL,
    etag TEXT, modified TEXT,  -- validators
    dated INTEGER,  -- by the index that names it
    due INTEGER NOT NULL DEFAULT 0,  -- 2: it is to be asked; 1: it has not yet what it dates
    asked REAL NOT NULL DEFAULT 0, hits REAL NOT NULL DEFAULT 0,  -- rounds, old ones count less
    asked_in INTEGER NOT NULL DEFAULT 0, hit_in INTEGER NOT NULL DEFAULT 0,  -- the last round
    read_day INTEGER NOT NULL DEFAULT 0,  -- when its whole content was last read
    failing INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0,  -- since, in a row
    UNIQUE (site, url)
);
CREATE TABLE addresses (
    hash INTEGER PRIMARY KEY, site INTEGER NOT NULL, source INTEGER NOT NULL,
    status INTEGER NOT NULL, url TEXT NOT NULL,  -- without the home of its site
    day INTEGER NOT NULL,  -- when a list named it
    feed_date INTEGER, map_date INTEGER,  -- two clocks: they are never compared with each other
    since INTEGER NOT NULL DEFAULT 0,  -- the first request that gave no article
    due INTEGER NOT NULL DEFAULT 0,  -- it is not asked for before
    why TEXT,  -- it waits or was given up
    unchanged INTEGER NOT NULL DEFAULT 0,
    notice INTEGER NOT NULL DEFAULT 0  -- the hash of a text that it had in common with others
) WITHOUT ROWID;
CREATE INDEX unsettled ON addresses (site) WHERE status = 0
