import { Client } from 'pg'
import * as z from 'zod/mini'
import { guarded } from '../../guarded.ts'
import { connectMs } from './connection.ts'
import { beginMigration } from './prelude.ts'

const checkMs = 5000
const answerMs = 4000
const retryMs = 1000

const ChannelRow = z.object({ channel: z.string() })
const NameRow = z.object({ name: z.string() })

/** Tables whose updates only say when a row was last used: they aren't followed. */
const usedOften: ReadonlySet<string> = new Set(['sessions', 'api_tokens'])

const missing = `SELECT name FROM unnest($1::text[]) AS name
  WHERE NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = to_regclass(quote_ident(name)) AND tgname = 'note_change')`

/** Tables of one schema notify those that follow it; a transaction notifies once for each table. */
const channel = `SELECT 'sightline_' || md5(current_schema()) AS channel`
const noteChange = `CREATE OR REPLACE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM pg_notify('sightline_' || md5(TG_TABLE_SCHEMA), TG_TABLE_NAME); RETURN NULL;
END $$`

const triggerOf = (table: string): string =>
  `CREATE OR REPLACE TRIGGER note_change AFTER ${usedOften.has(table) ? '' : 'INSERT OR UPDATE OR '}DELETE
   ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION note_change()`

const open = (url: string, lost: () => void): Client => {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
    application_name: 'sightline',
  })
  client.on('error', guarded('store: following', lost))
  client.on('end', guarded('store: following', lost))
  return client
}

const addTriggers = async (client: Client, tables: readonly string[]): Promise<void> => {
  const { rows } = await client.query(missing, [tables])
  if (rows.length === 0) return
  await client.query(beginMigration)
  await client.query(noteChange)
  for (const { name } of z.parse(z.array(NameRow), rows)) await client.query(triggerOf(name))
  await client.query('COMMIT')
}

/**
 * Calls `note` with the name of each table that any server changes, and without one after a time during which changes
 * could be missed. Resolves once it follows, with a function that ends the calls.
 */
export const followPostgres = async (
  url: string,
  tables: readonly string[],
  note: (table?: string) => void,
): Promise<() => Promise<void>> => {
  let current: Client | undefined
  let retry: NodeJS.Timeout | undefined
  let isClosed = false

  const connect = async (): Promise<void> => {
    const client = open(url, () => lose(client))
    current = client
    try {
      await client.connect()
      client.on(
        'notification',
        guarded('store: following', ({ payload }) => note(payload)),
      )
      await addTriggers(client, tables)
      const [row] = z.parse(z.array(ChannelRow), (await client.query(channel)).rows)
      await client.query(`LISTEN ${row?.channel ?? ''}`)
      note()
    } catch (error) {
      lose(client)
      throw error
    }
  }
  const reconnect = guarded('store: following', () => connect().catch(() => undefined))

  const lose = (client: Client): void => {
    if (current !== client) return
    current = undefined
    client.connection.stream.destroy()
    if (isClosed) return
    clearTimeout(retry)
    retry = setTimeout(reconnect, retryMs)
  }

  const check = async (): Promise<void> => {
    const client = current
    await client?.query('SELECT 1').catch(() => lose(client))
  }
  const close = async (): Promise<void> => {
    isClosed = true
    clearInterval(checking)
    clearTimeout(retry)
    await current?.end().catch(() => undefined)
  }
  const checking = setInterval(guarded('store: following', check), checkMs)
  try {
    await connect()
  } catch (error) {
    await close()
    throw error
  }
  return close
}
