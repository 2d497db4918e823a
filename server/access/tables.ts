/**
 * Rights to single streams, their shares, and groups. `access_groups.kind`: `users` or `streams`. Both tables of grants
 * give a group of users rights: `group_grants` to a group of streams, `group_stream_grants` to one stream. `nonce`: a
 * share's token is derived from it and the server's key.
 * `can_download` is 0 only with the archive, without `can_admin`.
 */
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
  `CREATE TABLE access_groups (id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL) STRICT;
  CREATE TABLE group_users (
    group_id TEXT NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
    login TEXT NOT NULL COLLATE NOCASE REFERENCES users (login) ON UPDATE CASCADE ON DELETE CASCADE,
    PRIMARY KEY (group_id, login)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX group_users_login ON group_users (login);
  CREATE TABLE group_streams (
    group_id TEXT NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
    uid TEXT NOT NULL REFERENCES streams (uid) ON DELETE CASCADE,
    PRIMARY KEY (group_id, uid)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX group_streams_uid ON group_streams (uid);
  CREATE TABLE group_grants (
    user_group TEXT NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
    stream_group TEXT NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
    can_view INTEGER NOT NULL, can_view_archive INTEGER NOT NULL, can_admin INTEGER NOT NULL,
    PRIMARY KEY (user_group, stream_group)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX group_grants_stream_group ON group_grants (stream_group);
  CREATE TABLE group_stream_grants (
    user_group TEXT NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
    uid TEXT NOT NULL REFERENCES streams (uid) ON DELETE CASCADE,
    can_view INTEGER NOT NULL, can_view_archive INTEGER NOT NULL, can_admin INTEGER NOT NULL,
    PRIMARY KEY (user_group, uid)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX group_stream_grants_uid ON group_stream_grants (uid);`,
  `ALTER TABLE stream_shares ADD COLUMN range_start INTEGER;
  ALTER TABLE stream_shares ADD COLUMN range_end INTEGER;
  ALTER TABLE stream_shares ADD COLUMN has_live INTEGER NOT NULL DEFAULT 1;`,
  `ALTER TABLE stream_permissions ADD COLUMN can_download INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE group_grants ADD COLUMN can_download INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE group_stream_grants ADD COLUMN can_download INTEGER NOT NULL DEFAULT 1;`,
  // The primary key has case, which a renamed or deleted login is looked for without.
  'CREATE INDEX stream_permissions_login ON stream_permissions (login COLLATE NOCASE);',
  // The login without case, as that of users: renames that change only its case left rows behind. Those had no effect,
  // and may have been withdrawn since: they aren't kept.
  `ALTER TABLE stream_permissions RENAME TO stream_permissions_by_case;
  CREATE TABLE stream_permissions (
    login TEXT NOT NULL COLLATE NOCASE REFERENCES users (login) ON UPDATE CASCADE ON DELETE CASCADE,
    uid TEXT NOT NULL REFERENCES streams (uid) ON DELETE CASCADE,
    can_view INTEGER NOT NULL, can_view_archive INTEGER NOT NULL, can_admin INTEGER NOT NULL,
    can_download INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (login, uid)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO stream_permissions (login, uid, can_view, can_view_archive, can_admin, can_download)
    SELECT u.login, p.uid, p.can_view, p.can_view_archive, p.can_admin, p.can_download
    FROM stream_permissions_by_case p JOIN users u ON u.login = p.login COLLATE BINARY;
  DROP TABLE stream_permissions_by_case;
  CREATE INDEX stream_permissions_uid ON stream_permissions (uid);`,
]
