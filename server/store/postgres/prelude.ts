/** The number that stands for this program among the advisory locks of a database. */
const lock = 7_346_110_921

/** One transaction at a time, whatever process it belongs to, as `BEGIN IMMEDIATE` of SQLite. */
export const begin = `BEGIN; SELECT pg_advisory_xact_lock(${lock})`
/** Waits for another migration, and takes the time it needs. */
export const beginMigration = `BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(${lock})`

/** Servers share it while they are connected; what moves a database elsewhere has it alone. One for each schema. */
const use = `${lock % 1_000_000_000}, hashtext(current_schema())`
export const shareUse = `SELECT pg_try_advisory_lock_shared(${use}) AS "isFree"`
export const lockUse = `SELECT pg_try_advisory_lock(${use}) AS "isFree"`

/**
 * Functions of SQLite that PostgreSQL lacks. `nocase` compares logins: SQLite's in ASCII alone, PostgreSQL's in every
 * script, so that no two logins look alike. `STRICT` answers NULL for NULL.
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
