/**
 * `rule`: a `Rule` as JSON. `alert_reported`: what each alert reported last of each subject, so that nothing is
 * reported twice. Deliveries outlive their alert. `happenings`: a list of `Happening` as JSON. `next`, `ended`: 0 for
 * none.
 */
export const alertSteps: readonly string[] = [
  `CREATE TABLE alerts (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, rule TEXT NOT NULL, created INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX alerts_created ON alerts (created, id);
  CREATE TABLE alert_reported (
    alert TEXT NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
    subject TEXT NOT NULL, failing INTEGER NOT NULL, time INTEGER NOT NULL,
    PRIMARY KEY (alert, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE alert_deliveries (
    id TEXT PRIMARY KEY,
    alert TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, address TEXT NOT NULL,
    happenings TEXT NOT NULL, total INTEGER NOT NULL, created INTEGER NOT NULL,
    status TEXT NOT NULL, attempts INTEGER NOT NULL, next INTEGER NOT NULL, ended INTEGER NOT NULL,
    reason TEXT NOT NULL
  ) STRICT;
  CREATE INDEX alert_deliveries_created ON alert_deliveries (created, id);
  CREATE INDEX alert_deliveries_waiting ON alert_deliveries (next) WHERE status = 'waiting';`,
  `CREATE TABLE alert_held (
    alert TEXT PRIMARY KEY REFERENCES alerts (id) ON DELETE CASCADE,
    happenings TEXT NOT NULL, total INTEGER NOT NULL
  ) STRICT;`,
]
