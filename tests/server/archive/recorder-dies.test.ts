import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recoverStream } from '../../../server/archive/repair/repair-files.ts'
import { chunkFile, journalFile, streamFolder } from '../../../server/storage/folders.ts'
import { createLiveWindow } from '../../../server/archive/recorder/live-window.ts'
import { createRunIds, runOf } from '../../../server/archive/format/run.ts'
import { drawnInit, fragmentAt, openRecorder, t0 } from '../fixtures/engine.ts'
import { oneVolume } from '../fixtures/one-volume.ts'

const init = drawnInit()
const full = (): never => {
  throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
}

type Opened = Awaited<ReturnType<typeof openRecorder>>

const record = async ({ recorder }: Opened): Promise<void> => {
  const taking = recorder.begin({ init, mediaZeroAt: t0, fail: full })
  for (let position = 0; position < 6; position += 1)
    taking.take(fragmentAt(position / 2, position % 2 === 0), t0 + (position + 1) * 500)
  await taking.finish()
}

/** What is done for a stream that records no more, while the server goes on. */
const recover = ({ index, dataDir, rows }: Opened) =>
  recoverStream({
    index,
    volumes: oneVolume(dataDir),
    uid: 'door',
    isArchived: true,
    runId: createRunIds(1, () => t0),
    isWaitingForIndex: (start) => rows.isWaiting('door', start),
  })

const segmentsOf = async ({ index }: Opened) =>
  (await index.within('door', t0, t0 + 10_000, 100)).map(({ start, file }) => [start - t0, file])
const rowsOf = ({ db }: Opened) => Number(db.prepare('SELECT count(*) AS count FROM chunks').get()?.['count'])
const hasJournal = ({ dataDir }: Opened): boolean => existsSync(join(streamFolder(dataDir, 'door'), journalFile(t0)))
const sealed = [0, 1000, 2000].map((start) => [start, chunkFile(t0)])

test('a run that began while the clock showed 2106 can be read, and another one follows it', async () => {
  const { index } = await openRecorder()
  const nextId = createRunIds(7, () => Date.UTC(2106, 1, 7))
  const [first, second] = [nextId(), nextId()]
  expect([second - first, Number.isSafeInteger(second)]).toEqual([4096, true])
  const { recording } = await index.open('door')
  for (const [position, id] of [first, second, first].entries())
    await index.putRun(recording, runOf(id, `key ${position}`, init))
  expect((await index.newestRun('door'))?.key).toBe('key 2')
})

test('a sealed chunk that was not reported gets its row', async () => {
  const opened = await openRecorder(undefined, { onSealed: () => undefined })
  await record(opened)
  expect([rowsOf(opened), hasJournal(opened), opened.index.isUnindexed('door', t0)]).toEqual([0, true, true])
  expect(await recover(opened)).toMatchObject({ restored: 3, failed: [], movedFiles: [] })
  expect([rowsOf(opened), hasJournal(opened), opened.index.isUnindexed('door', t0)]).toEqual([1, false, false])
  expect(await segmentsOf(opened)).toEqual(sealed)
})

test('a chunk that waits for the chunk indexer is left to it', async () => {
  const disk = { isFull: true }
  const opened = await openRecorder((whole) => ({
    addChunk: async (...args) => (disk.isFull ? full() : whole.addChunk(...args)),
  }))
  await record(opened)
  await opened.rows.settled()
  expect(await recover(opened)).toMatchObject({ restored: 0, failed: [], movedFiles: [] })
  expect([rowsOf(opened), hasJournal(opened), opened.index.isUnindexed('door', t0)]).toEqual([0, true, true])
  expect(await segmentsOf(opened)).toEqual([0, 1000, 2000].map((start) => [start, `${t0}.spool`]))
  disk.isFull = false
  await opened.rows.retry()
  expect([rowsOf(opened), hasJournal(opened), opened.rows.isWaiting('door', t0)]).toEqual([1, false, false])
  expect(await segmentsOf(opened)).toEqual(sealed)
})

test('a live window loses the segments without a lasting file with the recorder', () => {
  const live = createLiveWindow()
  const run = runOf(1, 'key', init)
  const add = (sequence: number, file: string) =>
    live.add(
      {
        start: t0 + sequence * 1000,
        finish: t0 + (sequence + 1) * 1000,
        duration: 1,
        mediaStart: sequence,
        bytes: 1,
        offset: 0,
        run: run.id,
        volume: 1,
        file,
        sequence,
        discontinuity: 1,
        arrivedAt: t0,
        parts: [],
        ...(file === '' ? { readFromMemory: async () => Buffer.of(1) } : {}),
      },
      run,
      2,
    )
  for (const [sequence, file] of ['1.spool', '1.spool', '', '2.live'].entries()) add(sequence, file)
  live.begin({ start: t0 + 4000, run, read: async () => undefined })
  live.dropUnwritten()
  expect([live.listed().segments.map(({ sequence }) => sequence), live.opened()]).toEqual([[0, 1], []])
  expect(live.findRun(run.id)).toBe(run)
})
