/** Rights to single streams, and their shares. */
export const accessSteps: readonly string[] = [
  `CREATE TABLE stream_permissions (
    login TEXT NOT NULL REFERENCES users (login) ON UPDATE CASCADE ON DELETE CASCADE,
    uid TEXT NOT NULL REFERENCES streams (uid) ON DELETE CASCADE,
    can_view INTEGER NOT NULL, can_view_archive INTEGER NOT NULL, can_admin INTEGER NOT NULL,
    PRIMARY KEY (login, uid)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX stream_permissions_uid ON stream_permissions (uid);
  CREATE TABLE stream_shares (
    uid TEXT PRIMARY KEY REFERENCES streams (uid) ON DELETE CASCADE,
    nonce BLOB NOT NULL, token_hash BLOB NOT NULL UNIQUE
  ) STRICT;`,
  `ALTER TABLE stream_shares ADD COLUMN expires_at INTEGER;
  ALTER TABLE stream_shares ADD COLUMN password_hash TEXT NOT NULL DEFAULT '';`,
]
