/**
 * `needle`: the text that searching looks in, in lower case and without credentials. `source` and `substream_source`
 * include their credentials. `onvif` and `masks` are JSON.
 *
 * `stream_tracks`: the tracks (JSON) of a stream's or substream's source, and a hash of that source.
 */
export const streamsSteps: readonly string[] = [
  `CREATE TABLE streams (
    uid TEXT PRIMARY KEY,
    name TEXT NOT NULL, source TEXT NOT NULL, tags TEXT NOT NULL, location TEXT NOT NULL, marker TEXT NOT NULL,
    is_archived INTEGER NOT NULL, depth_hours REAL NOT NULL, is_on_demand INTEGER NOT NULL, is_paused INTEGER NOT NULL,
    owner TEXT COLLATE NOCASE REFERENCES users (login) ON UPDATE CASCADE ON DELETE SET NULL,
    created_at INTEGER NOT NULL, needle TEXT NOT NULL
  ) STRICT;
  CREATE INDEX streams_owner ON streams (owner);
  CREATE TABLE stream_logs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL REFERENCES streams (uid) ON DELETE CASCADE,
    time INTEGER NOT NULL, level TEXT NOT NULL, message TEXT NOT NULL
  ) STRICT;
  CREATE INDEX stream_logs_uid ON stream_logs (uid, id);
  CREATE TABLE stream_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`,
  'CREATE INDEX streams_newest ON streams (created_at DESC, uid);',
  'ALTER TABLE streams ADD COLUMN quota_bytes INTEGER;',
  "ALTER TABLE streams ADD COLUMN substream_source TEXT NOT NULL DEFAULT '';",
  'ALTER TABLE streams ADD COLUMN pinned_node TEXT;',
  'ALTER TABLE streams ADD COLUMN onvif TEXT;',
  "ALTER TABLE streams ADD COLUMN masks TEXT NOT NULL DEFAULT '[]';",
  `CREATE TABLE stream_tracks (
    recording TEXT PRIMARY KEY, uid TEXT NOT NULL REFERENCES streams (uid) ON DELETE CASCADE,
    source_hash TEXT NOT NULL, tracks TEXT NOT NULL
  ) STRICT;
  CREATE INDEX stream_tracks_uid ON stream_tracks (uid);`,
]
