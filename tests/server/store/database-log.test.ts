import { expect, onTestFinished, test } from 'vitest'
import { StoreAway, type Connection } from '../../../server/store/connection.ts'
import { createDatabaseLog } from '../../../server/store/database-log.ts'
import { sqliteEngine, type Connect } from '../../../server/store/engine.ts'
import { openDatabase } from '../../../server/store/sqlite.ts'
import { openStoreOn } from '../../../server/store/store.ts'
import { startServer } from '../fixtures/harness.ts'
import { connectHere, connectLocal } from '../fixtures/local-connection.ts'
import { passMonotonic } from '../fixtures/monotonic.ts'

/** A network that a test cuts. */
const createNetwork = () => {
  const state = { isCut: false }
  const through = (connection: Connection): Connection => ({
    ...connection,
    call: async (call) => {
      if (state.isCut) throw new StoreAway('ECONNREFUSED')
      return connection.call(call)
    },
  })
  return { state, through }
}

const write = 'CREATE TABLE IF NOT EXISTS things (id INTEGER)'

test('the log has one line as the database goes away, and one as it is back, of several connections, too', async () => {
  const { state, through } = createNetwork()
  const lines: object[] = []
  const follow = createDatabaseLog((detail, message) => lines.push({ ...detail, message }))
  const open = async () => {
    const db = openDatabase(':memory:')
    onTestFinished(() => db.close())
    const store = await openStoreOn(sqliteEngine('', () => through(connectLocal(db))))
    follow(store)
    return store
  }
  const [first, second] = [await open(), await open()]
  await first.run(write)
  state.isCut = true
  for (const store of [first, second, first]) await expect(store.run(write)).rejects.toThrow('ECONNREFUSED')
  passMonotonic(90_000)
  await expect(second.run(write)).rejects.toThrow('ECONNREFUSED')
  state.isCut = false
  for (const store of [first, second, first]) await store.run(write)
  expect(lines).toEqual([
    { reason: 'ECONNREFUSED', message: 'the database is away' },
    { seconds: 90, message: 'the database is back' },
  ])
})

test('the log of a server has no other lines about it, but for what is given up', async () => {
  const { state, through } = createNetwork()
  const connect: Connect = (file, isReader) => through(connectHere(file, isReader))
  const { context } = await startServer({ connect })
  const { store, log, serverLog } = context
  const before = serverLog.read(undefined).length
  state.isCut = true
  const error = await store.run(write).catch((failure: unknown) => failure)
  for (const each of [log, log.child({ uid: 'door' })]) {
    each.warn({ err: error }, 'not done')
    each.error({ err: error }, 'not done')
  }
  log.error({ err: new Error('Not done', { cause: error }) }, 'given up')
  state.isCut = false
  await store.run(write)
  expect(serverLog.read(undefined).slice(before)).toMatchObject([
    { level: 'warn', message: 'the database is away (reason=ECONNREFUSED)' },
    { level: 'error', message: 'given up (Not done: The database is away: ECONNREFUSED)' },
    { level: 'warn', message: 'the database is back (seconds=0)' },
  ])
})
