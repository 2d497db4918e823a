/**
 * `owner` is NULL once the user is deleted, and follows renames; `login` is that of the request. `bytes` and `sha256`
 * are of the file once it is `ready`. `name` and `masks` are those of the stream at the request, as the stream may be
 * deleted.
 * `node`: that of a cluster which makes it and has its file. `timezone`: of the time that is drawn with `overlay`.
 */
export const exportSteps: readonly string[] = [
  `CREATE TABLE exports (
    id TEXT PRIMARY KEY,
    owner TEXT COLLATE NOCASE REFERENCES users (login) ON UPDATE CASCADE ON DELETE SET NULL,
    login TEXT NOT NULL, note TEXT NOT NULL, overlay INTEGER NOT NULL,
    status TEXT NOT NULL, reason TEXT NOT NULL, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL,
    created INTEGER NOT NULL, expires INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX exports_owner ON exports (owner, created, id);
  CREATE INDEX exports_created ON exports (created, id);
  CREATE INDEX exports_expires ON exports (expires);
  CREATE TABLE export_items (
    export TEXT NOT NULL REFERENCES exports (id) ON DELETE CASCADE,
    place INTEGER NOT NULL, uid TEXT NOT NULL, name TEXT NOT NULL, start INTEGER NOT NULL, finish INTEGER NOT NULL,
    PRIMARY KEY (export, place)
  ) STRICT, WITHOUT ROWID;`,
  "ALTER TABLE exports ADD COLUMN node TEXT NOT NULL DEFAULT ''",
  "ALTER TABLE export_items ADD COLUMN masks TEXT NOT NULL DEFAULT '[]'",
  "ALTER TABLE exports ADD COLUMN timezone TEXT NOT NULL DEFAULT 'UTC'",
]
