import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { packTable } from '../../../server/archive/format/chunk-table.ts'
import { runOf, type Run } from '../../../server/archive/format/run.ts'
import type { ListedSegment } from '../../../server/archive/format/segment.ts'
import type { HourOrPage } from '../../../server/archive/index/packed-hours.ts'
import { outsideOf } from '../../../server/archive/index/removing.ts'
import { createSegmentIndex } from '../../../server/archive/index/segment-index.ts'
import { createHourTexts } from '../../../server/archive/playback/hour-texts.ts'
import { recordedPlaylist } from '../../../server/archive/playback/recorded-playlist.ts'
import { archiveSteps } from '../../../server/archive/repair/tables.ts'
import { createLocks } from '../../../server/archive/retention/locks.ts'
import type { ServerPlugin } from '../../../server/context.ts'
import { StoreAway } from '../../../server/store/connection.ts'
import { streamsSteps } from '../../../server/streams/tables.ts'
import { usersSteps } from '../../../server/users/tables.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import { init } from '../fixtures/paused-stream.ts'
import { newFolder } from '../fixtures/tape.ts'
import { startVideo } from '../fixtures/video.ts'

const t0 = Date.parse('2026-11-21T20:00:00.000Z')
const minute = 60_000
const hour = 60 * minute
const uid = 'door'

const urls = (query: string) => ({
  segment: ({ start }: ListedSegment) => `recorded/${start}.m4s${query}`,
  init: (run: number) => `init/${run}.mp4${query}`,
})

/** The segments of a chunk that starts at a moment, by their lengths in seconds. */
const segmentsFrom = (from: number, seconds: readonly number[]) => {
  let [start, mediaStart] = [from, 0]
  return seconds.map((duration) => {
    const segment = { start, finish: start + Math.round(duration * 1000), duration, mediaStart, offset: 0, bytes: 1 }
    start = segment.finish
    mediaStart += duration
    return segment
  })
}

const openArchive = async () => {
  const schema = [
    ['users', usersSteps],
    ['streams', streamsSteps],
    ['archive', archiveSteps],
  ] as const
  const store = await memoryStore(new Map(schema))
  await store.run("INSERT INTO volumes (id, key, path, missing) VALUES (1, 'a', '/a', 0)")
  const index = createSegmentIndex(store)
  await index.old.refresh()
  const { recording } = await index.open(uid)
  const runs: Run[] = []
  for (const key of ['a', 'b']) {
    const id = await index.putRun(recording, runOf(runs.length + 1, key, init))
    runs.push(runOf(id, key, init))
  }
  const locks = createLocks(store, () => t0)
  const kept = createHourTexts()

  const pieces = (pages: AsyncIterable<HourOrPage>, query: string, hourTexts = kept): Promise<Buffer[]> =>
    Array.fromAsync(recordedPlaylist(2, pages, { urls: urls(query), kind: query, hourTexts }))
  const runAt = (which: number): Run => runs[which] ?? runOf(0, 'a', init)

  return {
    add: async (start: number, seconds: readonly number[], { run = 0, volume = 0 } = {}) => {
      const segments = segmentsFrom(start, seconds)
      const finish = segments.at(-1)?.finish ?? start
      const chunk = { start, finish, bytes: segments.length, table: packTable(segments, 1000), volume }
      await index.addChunk(uid, recording, chunk, runAt(run))
    },
    /** A chunk that is being written. */
    write: (start: number, seconds: readonly number[]) => {
      for (const segment of segmentsFrom(start, seconds))
        index.addUnindexed(uid, { ...segment, run: runAt(0).id, volume: 0, file: `${start}.m4s` }, runAt(0))
    },
    remove: (start: number) => index.removeChunk(recording, start),
    lock: (start: number, finish: number) => locks.add(uid, { start, finish, reason: '', expires: null, login: '' }),
    retain: async (before: number) =>
      index.remove(recording, await index.oldest(recording, before, 1000), async (stored) =>
        outsideOf(await locks.rangesOf(uid), stored),
      ),
    setMissing: (missing: number) => store.run('UPDATE volumes SET missing = ? WHERE id = 1', missing),
    cached: (from: number, to: number, query = '') => pieces(index.hoursWithin(uid, from, to), query),
    plain: (from: number, to: number, query = '') => pieces(index.pagesWithin(uid, from, to), query, createHourTexts()),
  }
}

const textOf = (pieces: readonly Buffer[]): string => Buffer.concat(pieces).toString('latin1')

test('the text of an hour is written once, and again once its chunks change', async () => {
  const { add, remove, cached, plain } = await openArchive()
  for (let at = 0; at < 180; at += 5) await add(t0 + at * minute, [60, 60, 60, 60, 60])
  const [from, to] = [t0 - 1, t0 + 3 * hour]
  const first = await cached(from, to)
  const again = await cached(from, to)
  const shared = (one: Buffer[], other: Buffer[]) => other.filter((piece) => one.includes(piece)).length
  expect([textOf(first).split('recorded/').length - 1, shared(first, again)]).toEqual([180, 3])
  expect(shared(first, await cached(from, to, '?masked=1'))).toBe(0)

  await remove(t0 + 70 * minute)
  const afterwards = await cached(from, to)
  expect(textOf(afterwards)).toBe(textOf(await plain(from, to)))
  expect(shared(first, afterwards)).toBe(2)
})

test('an hour that the range or a growing chunk cuts isn’t kept', async () => {
  const { add, write, cached, plain } = await openArchive()
  // Into the next hour.
  for (let at = 0; at < 150; at += 4) await add(t0 + at * minute, [60, 60, 60, 60])
  write(t0 + 152 * minute, [60, 60])
  const ranges = [
    [t0 + 1, t0 + 4 * hour],
    [t0, t0 + hour],
    [t0 + 59 * minute, t0 + 3 * hour],
    [t0 + 61 * minute, t0 + 62 * minute],
  ] as const
  for (const [from, to] of ranges) {
    expect(textOf(await cached(from, to))).toBe(textOf(await plain(from, to)))
    expect(textOf(await cached(t0, t0 + 4 * hour))).toBe(textOf(await plain(t0, t0 + 4 * hour)))
  }
})

test('chunks that overlap are listed once, in order', async () => {
  const { add, cached } = await openArchive()
  await add(t0, [60, 60])
  await add(t0 + minute, [60, 60], { run: 1 })
  await add(t0 + 59 * minute, [60, 60])
  await add(t0 + 60 * minute, [60, 60], { run: 1 })
  const starts = [...textOf(await cached(t0, t0 + 2 * hour)).matchAll(/recorded\/(\d+)/g)].map(
    ([, start]) => (Number(start) - t0) / minute,
  )
  expect(starts).toEqual([0, 1, 2, 59, 60, 61])
})

const change = fc.oneof(
  fc.record({ kind: fc.constant('remove'), at: fc.nat(47), length: fc.constant(0) }),
  fc.record({ kind: fc.constant('lock'), at: fc.nat(47), length: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant('retain'), at: fc.nat(20), length: fc.constant(0) }),
  fc.record({ kind: fc.constant('missing'), at: fc.nat(1), length: fc.constant(0) }),
  fc.record({ kind: fc.constant('replace'), at: fc.nat(47), length: fc.integer({ min: 1, max: 5 }) }),
)
const chunk = fc.record({
  isThere: fc.constantFrom(true, true, true, false),
  run: fc.constantFrom(0, 0, 0, 1),
  volume: fc.constantFrom(0, 0, 1),
  /** From the end of the chunk before it. */
  shift: fc.constantFrom(0, 0, -5, 3, 600),
  seconds: fc.array(fc.constantFrom(60, 59.96, 33.333), { minLength: 1, maxLength: 5 }),
})

test('whatever is recorded, locked and deleted in between, cached playlists are the same byte by byte', async () => {
  const archive = fc.array(chunk, { minLength: 48, maxLength: 48 })
  const range = fc.tuple(fc.nat(4 * 60), fc.integer({ min: 1, max: 4 * 60 }), fc.constantFrom('', '?masked=1'))
  const step = fc.tuple(change, range)
  await fc.assert(
    fc.asyncProperty(archive, fc.array(step, { minLength: 4, maxLength: 8 }), async (chunks, steps) => {
      const { add, remove, lock, retain, setMissing, cached, plain } = await openArchive()
      const slotAt = (at: number): number => t0 + at * 5 * minute + 1000
      for (const [at, { isThere, seconds, shift, run, volume }] of chunks.entries())
        if (isThere) await add(slotAt(at) + shift, seconds, { run, volume })
      for (const [{ kind, at, length }, [from, minutes, query]] of steps) {
        const start = slotAt(at) + (chunks[at]?.shift ?? 0)
        if (kind === 'lock') await lock(start, start + length * 10 * minute)
        else if (kind === 'retain') await retain(slotAt(at))
        else if (kind === 'missing') await setMissing(at)
        else await remove(start)
        if (kind === 'replace')
          await add(
            start,
            Array.from({ length }, () => 50),
          )
        for (const [begin, end] of [
          [t0, t0 + 4 * hour + minute],
          [t0 + from * minute, t0 + (from + minutes) * minute],
        ] as const)
          expect(textOf(await cached(begin, end, query))).toBe(textOf(await plain(begin, end, query)))
      }
    }),
    { numRuns: 8 },
  )
})

test('a server knows once its streams are started whether rows of older versions keep hours from being packed', async () => {
  const { site } = await startVideo({ dataDir: newFolder() })
  expect(site.index.old.isAny()).toBe(false)
})

test('a server whose database is away for a moment at its start asks again', async () => {
  let refused = 0
  const plugin: ServerPlugin = (_app, { store }) => {
    const { get } = store
    store.get = async (row, sql, ...values) => {
      if (sql.includes('FROM segments WHERE run >= 0') && refused === 0) {
        refused += 1
        throw new StoreAway('the connection broke')
      }
      return get(row, sql, ...values)
    }
  }
  const { site } = await startVideo({ dataDir: newFolder(), plugins: [plugin] })
  await site.untilRepaired()
  expect([refused, site.index.old.isAny()]).toEqual([1, false])
})
