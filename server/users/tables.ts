/**
 * Logins ignore case. Other tables refer to users by id, or by login, and then follow renames. Times (`…_at`,
 * `…_until`) are epoch milliseconds. `known_addresses`: the IP hosts from which a login has signed in.
 */
export const usersSteps: readonly string[] = [
  `CREATE TABLE users (
    login TEXT PRIMARY KEY COLLATE NOCASE,
    email TEXT NOT NULL COLLATE NOCASE, full_name TEXT NOT NULL, language TEXT NOT NULL,
    is_admin INTEGER NOT NULL, max_stream_creation INTEGER NOT NULL,
    is_managed INTEGER NOT NULL, is_blocked INTEGER NOT NULL,
    password_hash TEXT NOT NULL, must_change_password INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX users_email ON users (email) WHERE email <> '';
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    token_hash BLOB NOT NULL UNIQUE,
    login TEXT NOT NULL COLLATE NOCASE REFERENCES users (login) ON UPDATE CASCADE ON DELETE CASCADE,
    created_at INTEGER NOT NULL, seen_at INTEGER NOT NULL,
    user_agent TEXT NOT NULL, ip TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sessions_login ON sessions (login);
  CREATE TABLE api_tokens (
    id TEXT PRIMARY KEY,
    token_hash BLOB NOT NULL UNIQUE,
    login TEXT NOT NULL COLLATE NOCASE REFERENCES users (login) ON UPDATE CASCADE ON DELETE CASCADE,
    name TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER
  ) STRICT;
  CREATE INDEX api_tokens_login ON api_tokens (login);
  CREATE TABLE known_addresses (
    login TEXT NOT NULL COLLATE NOCASE REFERENCES users (login) ON UPDATE CASCADE ON DELETE CASCADE,
    address TEXT NOT NULL, seen_at INTEGER NOT NULL,
    PRIMARY KEY (login, address)
  ) STRICT, WITHOUT ROWID;`,
  // `proved_at`: when the user signed in, or last changed the password or the second factor. `old_hash`: of the secret
  // before, which works until `old_until`.
  `ALTER TABLE sessions ADD COLUMN proved_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN old_hash BLOB;
  ALTER TABLE sessions ADD COLUMN old_until INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX sessions_old ON sessions (old_hash) WHERE old_hash IS NOT NULL;`,
  // Identifies a user across renames; a reused login gets another id.
  `ALTER TABLE users ADD COLUMN id TEXT NOT NULL DEFAULT '';
  UPDATE users SET id = 'u' || lower(hex(randomblob(9)));
  CREATE UNIQUE INDEX users_id ON users (id);`,
  // `confirmed_at`: when the first right code was entered, else null. `last_step`: the time step of the last code, so
  // that no code works twice.
  `CREATE TABLE totp (
    user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret BLOB NOT NULL, began_at INTEGER NOT NULL, confirmed_at INTEGER, last_step INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE recovery_codes (
    user_id TEXT NOT NULL REFERENCES totp (user_id) ON DELETE CASCADE,
    code_hash BLOB NOT NULL,
    PRIMARY KEY (user_id, code_hash)
  ) STRICT, WITHOUT ROWID;`,
  // `password_given_at`: when somebody else last set the password; for older users, when they were created.
  `ALTER TABLE users ADD COLUMN password_given_at INTEGER NOT NULL DEFAULT 0;
  UPDATE users SET password_given_at = created_at;`,
  // `host`: the host name of the server for which a passkey works. `counter`: of its last signature; 0 if it has none.
  // `spent_challenges`: stored until they expire, so that none is answered twice.
  `CREATE TABLE passkeys (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    credential_id BLOB NOT NULL UNIQUE, public_key BLOB NOT NULL, counter INTEGER NOT NULL,
    host TEXT NOT NULL, transports TEXT NOT NULL, name TEXT NOT NULL,
    created_at INTEGER NOT NULL, used_at INTEGER
  ) STRICT;
  CREATE INDEX passkeys_user ON passkeys (user_id);
  CREATE TABLE spent_challenges (
    challenge_hash BLOB PRIMARY KEY, expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;`,
  // Until when the groups that a provider named count; 0: without end.
  'ALTER TABLE users ADD COLUMN rights_until INTEGER NOT NULL DEFAULT 0;',
  // Each sign-in deletes what is over.
  `CREATE INDEX sessions_seen ON sessions (seen_at);
  CREATE INDEX sessions_created ON sessions (created_at);
  CREATE INDEX known_addresses_seen ON known_addresses (seen_at);
  CREATE INDEX spent_challenges_expires ON spent_challenges (expires_at);`,
]
