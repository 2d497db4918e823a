import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { hasPostgres, startPostgres, type Postgres } from '../../../scripts/postgres.ts'
import { journalFile, streamFolder } from '../../../server/storage/folders.ts'
import { createSegmentIndex, type SegmentIndex } from '../../../server/archive/index/segment-index.ts'
import { archiveSteps } from '../../../server/archive/repair/tables.ts'
import { StoreAway } from '../../../server/store/connection.ts'
import { connectPostgres } from '../../../server/store/postgres/connection.ts'
import { openPostgres } from '../../../server/store/postgres/open.ts'
import { drawnInit, fragmentAt, openRecorder, t0 } from '../fixtures/engine.ts'
import { startServer, withoutDiskWarning } from '../fixtures/harness.ts'
import { sqliteStore } from '../fixtures/memory-store.ts'
import type { Store } from '../../../server/store/store.ts'
import * as z from 'zod/mini'

const started = async (): Promise<Postgres> => {
  const postgres = await startPostgres()
  onTestFinished(postgres.remove)
  return postgres
}

const init = drawnInit()
const archiveSchema = new Map([['archive', archiveSteps]])
const Count = z.object({ count: z.number() })
const countChunks = async (store: Store) => (await store.get(Count, 'SELECT count(*) AS count FROM chunks'))?.count

/** A recorder whose index is in PostgreSQL; `change` is what the recorder sees of the index. */
const recorderOn = async (store: Store, change?: (index: SegmentIndex) => Partial<SegmentIndex>) => {
  onTestFinished(store.close)
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-away-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const made = await openRecorder(change, {}, { index: createSegmentIndex(store), dataDir })
  return {
    ...made,
    /** Three seconds, which are one chunk. */
    record: async (from: number) => {
      const fail = (error: unknown) => {
        throw error
      }
      const taking = made.recorder.begin({ init, mediaZeroAt: t0 + from * 1000, fail })
      for (let position = 0; position < 6; position += 1) {
        taking.take(fragmentAt(position / 2, position % 2 === 0), t0 + from * 1000 + (position + 1) * 500)
      }
      await taking.finish()
      await made.rows.settled()
    },
  }
}

test('a chunk whose commit was not answered counts as indexed, and no longer as one that waits', async () => {
  const store = await sqliteStore(archiveSchema)
  const transaction = vi.spyOn(store, 'transaction')
  const { record, rows, index, unindexed } = await recorderOn(store)
  transaction.mockImplementationOnce(async (work) => {
    await store.transaction(work)
    throw new StoreAway('the connection broke')
  })
  await record(0)
  expect(unindexed).toEqual([new StoreAway('the connection broke')])
  await rows.retry()
  expect([await countChunks(store), index.isUnindexed('door', t0), index.unindexedBytes()]).toEqual([1, false, 0])
})

test('a server that no longer answers is found away, however many calls come meanwhile', async () => {
  const silent = createServer()
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void silent.close())
  const { port } = z.parse(z.object({ port: z.number() }), silent.address())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const url = `postgres://ann@127.0.0.1:${port}/none`
  const connection = connectPostgres(url, { statementMs: 1000, answerMs: 1000 })
  const calls: Promise<unknown>[] = []
  for (let count = 0; count < 3; count += 1) {
    const call = connection.call({ how: 'get', sql: 'SELECT 1', values: [], isInTransaction: false })
    calls.push(call.catch((error: unknown) => error))
    vi.advanceTimersByTime(400)
  }
  expect(connection.isOpen()).toBe(false)
  expect(await Promise.all(calls)).toEqual(calls.map(() => new StoreAway('it does not answer')))
})

/** A server that answers on its first connections until it is silenced, and on none that comes later. */
const onceThere = async (answered = 1) => {
  const sign = (letter: string, ...bytes: number[]) => [letter.charCodeAt(0), 0, 0, 0, bytes.length + 4, ...bytes]
  const ready = sign('Z', 'I'.charCodeAt(0))
  const authenticated = Buffer.from([...sign('R', 0, 0, 0, 0), ...ready])
  const done = Buffer.from([...sign('C', 0), ...ready])
  const state = { connections: 0, isSilent: false }
  const server = createServer((socket) => {
    state.connections += 1
    if (state.connections > answered) return
    socket.once('data', () => {
      socket.write(authenticated)
      socket.on('data', () => state.isSilent || socket.write(done))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = z.parse(z.object({ port: z.number() }), server.address())
  return { state, url: `postgres://ann@127.0.0.1:${port}/none` }
}

test('a connection ends once it is not answered, and a new one is not either', async () => {
  const { state, url } = await onceThere()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const connection = connectPostgres(url)
  const call = () => connection.call({ how: 'exec', sql: 'ROLLBACK', values: [], isInTransaction: false })
  await call()
  state.isSilent = true
  const failure = call().catch((error: unknown) => error)
  vi.advanceTimersByTime(5000)
  await vi.waitFor(() => expect(state.connections).toBe(2))
  expect(connection.isOpen()).toBe(true)
  vi.advanceTimersByTime(5000)
  expect(await failure).toEqual(new StoreAway('it does not answer'))
  expect(connection.isOpen()).toBe(false)
})

test('connections that are not answered are probed by one new connection for all of them', async () => {
  const { state, url } = await onceThere(3)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const connections = Array.from({ length: 3 }, () => connectPostgres(url))
  const callEach = () =>
    connections.map(({ call }) => call({ how: 'exec', sql: 'ROLLBACK', values: [], isInTransaction: false }))
  await Promise.all(callEach())
  state.isSilent = true
  const failures = callEach().map((each) => each.catch((error: unknown) => error))
  vi.advanceTimersByTime(5000)
  await vi.waitFor(() => expect(state.connections).toBeGreaterThan(3))
  vi.advanceTimersByTime(5000)
  expect(await Promise.all(failures)).toEqual(connections.map(() => new StoreAway('it does not answer')))
  expect(connections.map((each) => each.isOpen())).toEqual([false, false, false])
  expect(state.connections).toBe(4)
})

describe.skipIf(!hasPostgres())('while PostgreSQL is away', () => {
  test('calls are refused with the reason, and all is well once it is back', async () => {
    const postgres = await started()
    const { ask, addUser, signIn } = await startServer({ databaseUrl: postgres.url, defaults: withoutDiskWarning })
    await addUser('ann', true)
    const cookie = await signIn('ann')
    const users = async () => (await ask('GET', '/v1/users', { cookie })).status
    const change = () => ask('POST', '/v1/user/ann/block', { cookie })
    const warnings = async () => (await ask('GET', '/v1/system/health', { cookie })).body
    expect([await users(), await warnings()]).toMatchObject([200, { warnings: [] }])
    await postgres.cut()
    const refused = await ask('GET', '/v1/users', { cookie })
    expect(refused).toMatchObject({ status: 503, body: { code: 'Unavailable' }, headers: { 'retry-after': '5' } })
    expect((await change()).status).toBe(503)
    expect(await warnings()).toMatchObject({ warnings: [{ code: 'DATABASE_AWAY' }] })
    await postgres.start()
    expect(await users()).toBe(200)
    // A write has found it.
    expect((await ask('POST', '/v1/sign-in', { body: { name: 'ann', password: 'wrong' } })).status).toBe(401)
    expect(await warnings()).toMatchObject({ warnings: [] })
  })

  test('recording goes on; sealed chunks are indexed once it is back, in order', async () => {
    const postgres = await started()
    const store = await openPostgres(postgres.url, archiveSchema)
    const { record, rows, unindexed, index, dataDir } = await recorderOn(store)
    await record(0)
    await postgres.cut()
    await record(10)
    await record(20)
    const journal = (seconds: number) =>
      existsSync(join(streamFolder(dataDir, 'door'), journalFile(t0 + seconds * 1000)))
    // The second one waits: right after the first failure it isn't tried.
    expect(unindexed.map((error) => error instanceof StoreAway)).toEqual([true])
    expect([0, 10, 20].map(journal)).toEqual([false, true, true])
    await postgres.start()
    await rows.retry()
    const found = await index.within('door', t0, t0 + 30_000, 20)
    expect(found.map(({ start }) => (start - t0) / 1000)).toEqual([0, 1, 2, 10, 11, 12, 20, 21, 22])
    expect({ journals: [0, 10, 20].map(journal), chunks: await countChunks(store) }).toEqual({
      journals: [false, false, false],
      chunks: 3,
    })
  })

  test('a chunk whose row was written, although the answer was lost, is indexed once', async () => {
    const store = await openPostgres((await started()).url, archiveSchema)
    const answers = { areLost: true }
    const { record, rows, unindexed, dataDir } = await recorderOn(store, (whole) => ({
      addChunk: async (...args) => {
        const isAdded = await whole.addChunk(...args)
        if (answers.areLost) throw new StoreAway('the connection broke')
        return isAdded
      },
    }))
    await record(0)
    answers.areLost = false
    await rows.retry()
    expect(unindexed).toEqual([new StoreAway('the connection broke')])
    expect(await countChunks(store)).toBe(1)
    expect(existsSync(join(streamFolder(dataDir, 'door'), journalFile(t0)))).toBe(false)
  })

  test('an interrupted transaction leaves nothing', async () => {
    const postgres = await started()
    const store = await openPostgres(postgres.url, new Map([['notes', ['CREATE TABLE chunks (note TEXT)']]]))
    onTestFinished(store.close)
    const broken = store.transaction(async () => {
      await store.run("INSERT INTO chunks VALUES ('half')")
      await postgres.cut()
      await store.run("INSERT INTO chunks VALUES ('whole')")
    })
    await expect(broken).rejects.toThrow('The database is away')
    expect(store.isAway()).toBe(true)
    await postgres.start()
    await store.run("INSERT INTO chunks VALUES ('later')")
    expect([store.isAway(), await countChunks(store)]).toEqual([false, 1])
  })

  test('a server that finds none does not start, and says so without the password', async () => {
    const url = `postgres://ann:secret7@localhost:1/none`
    await expect(openPostgres(url)).rejects.toThrow(new StoreAway('ECONNREFUSED'))
  })
})
