/**
 * Floor plans. `pixel_width` and `pixel_height` are 0, and `version` is '', without a picture. A picture is stored in
 * pieces, as a move to another database reads many rows at once.
 */
export const plansSteps: readonly string[] = [
  `CREATE TABLE plans (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, pixel_width INTEGER NOT NULL, pixel_height INTEGER NOT NULL,
    media_type TEXT NOT NULL, version TEXT NOT NULL
  ) STRICT;
  CREATE TABLE plan_pieces (
    plan TEXT NOT NULL REFERENCES plans (id) ON DELETE CASCADE, number INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (plan, number)
  ) STRICT;
  CREATE TABLE plan_cameras (
    plan TEXT NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    uid TEXT NOT NULL REFERENCES streams (uid) ON DELETE CASCADE,
    x REAL NOT NULL, y REAL NOT NULL, direction REAL, field_of_view REAL,
    PRIMARY KEY (plan, uid)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX plan_cameras_uid ON plan_cameras (uid);`,
]
