import * as z from 'zod/mini'
import { AuditChange } from '../../src/api/contract/system.ts'

/**
 * Each kind of entry has its own bound, and a quota for each actor. `administration`: changes by administrators;
 * `change`: changes by others; `viewing`: what was watched or read; `refusal`, `guess`: what was refused to a known or
 * an unknown caller.
 */
export const kinds = ['administration', 'change', 'viewing', 'refusal', 'guess'] as const
export type Kind = (typeof kinds)[number]

export type Change = z.output<typeof AuditChange>

export const Details = z.object({ changes: z.optional(z.array(AuditChange)), claimed: z.optional(z.string()) })
export type Details = z.output<typeof Details>

export const started = 'started'
export const interrupted = 'interrupted'
export const aborted = 'aborted'

export const auditSteps: readonly string[] = [
  `CREATE TABLE audit_logs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time INTEGER NOT NULL, login TEXT NOT NULL COLLATE NOCASE, action TEXT NOT NULL,
    target TEXT NOT NULL, ip TEXT NOT NULL, outcome TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_logs_time ON audit_logs (time);`,
  // `actor`: the owner of the entry's quota; `thing`: the part of the action before the dot; `times`: similar entries
  // counted in this one, the last at `end_time`.
  `ALTER TABLE audit_logs ADD COLUMN kind TEXT NOT NULL DEFAULT 'change';
  ALTER TABLE audit_logs ADD COLUMN actor TEXT NOT NULL DEFAULT '';
  ALTER TABLE audit_logs ADD COLUMN user_id TEXT;
  ALTER TABLE audit_logs ADD COLUMN target_id TEXT;
  ALTER TABLE audit_logs ADD COLUMN details TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE audit_logs ADD COLUMN end_time INTEGER;
  ALTER TABLE audit_logs ADD COLUMN times INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE audit_logs ADD COLUMN bytes INTEGER;
  ALTER TABLE audit_logs ADD COLUMN thing TEXT NOT NULL DEFAULT '';
  UPDATE audit_logs SET thing = substr(action, 1, instr(action || '.', '.') - 1);
  UPDATE audit_logs SET actor = 'login ' || lower(login), kind = CASE
    WHEN outcome <> 'ok' THEN 'refusal'
    WHEN thing = 'archive' OR action = 'stream.view' THEN 'viewing'
    WHEN thing IN ('user', 'configuration', 'node', 'tunnel', 'license', 'server') THEN 'administration'
    ELSE 'change' END;
  CREATE INDEX audit_logs_login ON audit_logs (login, user_id, time, id, thing, action);
  CREATE INDEX audit_logs_user ON audit_logs (user_id, time, id, thing, action);
  CREATE INDEX audit_logs_thing ON audit_logs (thing, time, id, action);
  CREATE INDEX audit_logs_actor ON audit_logs (kind, actor);
  CREATE INDEX audit_logs_started ON audit_logs (outcome) WHERE outcome = '${started}';
  CREATE TABLE audit_shares (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, actor TEXT NOT NULL, count INTEGER NOT NULL, UNIQUE (kind, actor)
  ) STRICT;
  CREATE INDEX audit_shares_count ON audit_shares (kind, count DESC);
  INSERT INTO audit_shares (kind, actor, count) SELECT kind, actor, count(*) FROM audit_logs GROUP BY kind, actor;
  CREATE TRIGGER audit_logs_added AFTER INSERT ON audit_logs BEGIN
    INSERT INTO audit_shares (kind, actor, count) VALUES (new.kind, new.actor, 1)
      ON CONFLICT (kind, actor) DO UPDATE SET count = audit_shares.count + 1;
  END;
  CREATE TRIGGER audit_logs_removed AFTER DELETE ON audit_logs BEGIN
    UPDATE audit_shares SET count = count - 1 WHERE kind = old.kind AND actor = old.actor;
    DELETE FROM audit_shares WHERE kind = old.kind AND actor = old.actor AND count <= 0;
  END;
  CREATE TRIGGER audit_logs_moved AFTER UPDATE OF kind, actor ON audit_logs
  WHEN old.kind <> new.kind OR old.actor <> new.actor BEGIN
    UPDATE audit_shares SET count = count - 1 WHERE kind = old.kind AND actor = old.actor;
    DELETE FROM audit_shares WHERE kind = old.kind AND actor = old.actor AND count <= 0;
    INSERT INTO audit_shares (kind, actor, count) VALUES (new.kind, new.actor, 1)
      ON CONFLICT (kind, actor) DO UPDATE SET count = audit_shares.count + 1;
  END;
  CREATE TABLE audit_state (id INTEGER PRIMARY KEY CHECK (id = 1), is_enabled INTEGER NOT NULL) STRICT;
  INSERT INTO audit_state VALUES (1, 1);`,
  // The node of a cluster that wrote it.
  "ALTER TABLE audit_logs ADD COLUMN node TEXT NOT NULL DEFAULT ''",
]
