import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { packTable } from '../../../server/archive/format/chunk-table.ts'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { createRetention } from '../../../server/archive/retention/retention.ts'
import { createRowsLeft } from '../../../server/archive/retention/rows-left.ts'
import { chunkFile, streamFolder } from '../../../server/storage/folders.ts'
import { StoreError } from '../../../server/store/connection.ts'
import { init, row } from '../fixtures/paused-stream.ts'
import { newFolder } from '../fixtures/tape.ts'
import { startVideo } from '../fixtures/video.ts'

const t0 = Date.parse('2026-11-21T07:00:00.000Z')
const [chunkBytes, chunkCount] = [1e7, 100]
const full = new StoreError('database or disk is full', 13)

/** Chunks of a paused stream, and a disk of 20 GB whose free space follows from their files. */
const opened = async (change: { quotaBytes?: number } = {}) => {
  const dataDir = newFolder()
  const { site, context } = await startVideo({ dataDir })
  await site.add({ ...row, uid: 'door', name: 'Door', source: 'rtsp://192.0.2.1/x', ...change })
  const { recording } = await site.index.open('door')
  const run = runOf(site.runId(), newRunKey(), init)
  const folder = streamFolder(dataDir, 'door')
  for (let position = 0; position < chunkCount; position += 1) {
    const start = t0 + position * 2000
    const path = join(folder, chunkFile(start))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
    const segment = { start, finish: start + 2000, duration: 2, mediaStart: 0, bytes: chunkBytes, offset: 0 }
    const chunk = { start, finish: segment.finish, bytes: chunkBytes, volume: 0, table: packTable([segment], 1000) }
    await site.index.addChunk('door', recording, chunk, run)
  }
  const files = (): number =>
    readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.mp4')).length
  /** `other`: what else is on the disk. */
  const disk = { other: 0 }
  const readDisk = async () => {
    const totalBytes = 2e10
    return { freeBytes: totalBytes - disk.other - files() * chunkBytes, totalBytes }
  }
  const retention = createRetention({ ...context, now: () => t0 + 60_000 }, site, readDisk)
  const rows = async () => (await site.index.totals()).reduce((sum, { bytes }) => sum + bytes, 0) / chunkBytes
  return { site, retention, disk, files, rows }
}

test('a disk is kept free, too, while the database is full on another one; its rows follow', async () => {
  const { site, retention, disk, files, rows } = await opened()
  const removing = vi.spyOn(site.index, 'remove').mockRejectedValue(full)
  // The reserve of 215 MB and 785 MB of the recordings.
  disk.other = 1.9e10
  await retention.sweep()
  expect([files(), await rows()]).toEqual([78, 100])
  disk.other += 3e8
  await retention.sweep()
  expect([files(), await rows()]).toEqual([48, 100])
  removing.mockRestore()
  await retention.sweep()
  expect([files(), await rows()]).toEqual([48, 48])
  disk.other += 1e8
  await retention.sweep()
  await retention.stop()
  expect([files(), await rows()]).toEqual([38, 38])
})

test('a quota deletes no more while the database is full than it would otherwise', async () => {
  const { site, retention, files, rows } = await opened({ quotaBytes: 20 * chunkBytes })
  const removing = vi.spyOn(site.index, 'remove').mockRejectedValue(full)
  for (let count = 0; count < 3; count += 1) await retention.sweep()
  expect([files() >= 20, await rows()]).toEqual([true, 100])
  removing.mockRestore()
  await retention.sweep()
  await retention.stop()
  expect([files(), await rows()]).toEqual([20, 20])
})

test('so many rows are remembered; what is deleted next follows also those that are not', async () => {
  const removed: number[] = []
  const stored = (start: number) => ({
    recording: 7,
    uid: 'door',
    start,
    finish: start + 1,
    run: 1,
    bytes: 2,
    volume: 3,
  })
  const remove: Parameters<typeof createRowsLeft>[0]['remove'] = async (_recording, some) => {
    removed.push(...some.map(({ start }) => start))
    return some
  }
  const left = createRowsLeft({ remove }, { unmountedSince: () => undefined }, 2)
  left.add([stored(1), stored(2)])
  left.add([stored(2), stored(3)])
  expect([left.fromOf(3, 7), left.fromOf(4, 7) < 0]).toEqual([4, true])
  const total = { uid: 'door', owner: null, isOfAdministrator: true, bytes: 10, recordings: [7] }
  expect(left.withoutLeft(3, [total])).toEqual([{ ...total, bytes: 4 }])
  await left.remove()
  expect([removed, left.isAny()]).toEqual([[1, 2], false])
})
