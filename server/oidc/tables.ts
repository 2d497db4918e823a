/**
 * `oidc_users`: who a user is at a provider; `group_names` (JSON) are of the last sign-in, and `is_admin` says that
 * they made the user an administrator. `oidc_permissions`: rights by groups, apart from those that people grant.
 */
export const oidcSteps: readonly string[] = [
  `CREATE TABLE oidc_users (
    issuer TEXT NOT NULL, subject TEXT NOT NULL,
    user_id TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
    is_admin INTEGER NOT NULL, group_names TEXT NOT NULL,
    PRIMARY KEY (issuer, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE oidc_permissions (
    login TEXT NOT NULL REFERENCES users (login) ON UPDATE CASCADE ON DELETE CASCADE,
    uid TEXT NOT NULL REFERENCES streams (uid) ON DELETE CASCADE,
    can_view INTEGER NOT NULL, can_view_archive INTEGER NOT NULL, can_admin INTEGER NOT NULL,
    PRIMARY KEY (login, uid)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX oidc_permissions_uid ON oidc_permissions (uid);`,
  // `read_at`: when the groups were read; 0 for users of an older version. `refresh_token` is sealed by `server.key`.
  `ALTER TABLE oidc_users ADD COLUMN read_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE oidc_users ADD COLUMN refresh_token BLOB;`,
  // As stream_permissions_login (access/tables.ts).
  'CREATE INDEX oidc_permissions_login ON oidc_permissions (login COLLATE NOCASE);',
  // As stream_permissions (access/tables.ts).
  `ALTER TABLE oidc_permissions RENAME TO oidc_permissions_by_case;
  CREATE TABLE oidc_permissions (
    login TEXT NOT NULL COLLATE NOCASE REFERENCES users (login) ON UPDATE CASCADE ON DELETE CASCADE,
    uid TEXT NOT NULL REFERENCES streams (uid) ON DELETE CASCADE,
    can_view INTEGER NOT NULL, can_view_archive INTEGER NOT NULL, can_admin INTEGER NOT NULL,
    PRIMARY KEY (login, uid)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO oidc_permissions (login, uid, can_view, can_view_archive, can_admin)
    SELECT u.login, p.uid, p.can_view, p.can_view_archive, p.can_admin
    FROM oidc_permissions_by_case p JOIN users u ON u.login = p.login COLLATE BINARY;
  DROP TABLE oidc_permissions_by_case;
  CREATE INDEX oidc_permissions_uid ON oidc_permissions (uid);`,
]
