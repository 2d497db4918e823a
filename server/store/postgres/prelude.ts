/** The number of this program's advisory lock. */
const lock = 7_346_110_921

/** One transaction at a time, whatever process it belongs to, as `BEGIN IMMEDIATE` of SQLite. */
export const begin = `BEGIN; SELECT pg_advisory_xact_lock(${lock})`
/** Waits for another migration, without a time limit for its statements. */
export const beginMigration = `BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(${lock})`

/** A lock for each schema: connected servers share it, and a command that moves the schema has it alone. */
const usageLock = `${lock % 1_000_000_000}, hashtext(current_schema())`
export const shareUse = `SELECT pg_try_advisory_lock_shared(${usageLock}) AS "isFree"`
export const lockUse = `SELECT pg_try_advisory_lock(${usageLock}) AS "isFree"`

/**
 * What SQLite has and PostgreSQL lacks. `nocase` compares logins, in any script; SQLite's does so in ASCII only, where
 * the server refuses a login that differs from another by case alone. `STRICT` answers NULL for NULL.
 */
export const prelude = `
CREATE COLLATION IF NOT EXISTS nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE OR REPLACE FUNCTION fold(text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
  AS 'SELECT lower($1 COLLATE "und-x-icu")';
CREATE OR REPLACE FUNCTION instr(text, text) RETURNS bigint IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
  AS 'SELECT strpos($1, $2)::bigint';
CREATE OR REPLACE FUNCTION substr(text, bigint, bigint) RETURNS text IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
  AS 'SELECT substr($1, $2::integer, $3::integer)';
CREATE OR REPLACE FUNCTION max(bigint, bigint) RETURNS bigint IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
  AS 'SELECT greatest($1, $2)';
CREATE OR REPLACE FUNCTION hex(bytea) RETURNS text IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
  AS 'SELECT upper(encode($1, ''hex''))';
CREATE OR REPLACE FUNCTION randomblob(bigint) RETURNS bytea VOLATILE STRICT LANGUAGE sql
  AS 'SELECT substr(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 1, $1::integer)';
`
