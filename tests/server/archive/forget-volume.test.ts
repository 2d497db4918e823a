import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { standInFor } from '../../../server/cluster/stand-in.ts'
import { forgetLostVolume } from '../../../server/commands/forget-volume.ts'
import { forgetVolume } from '../../../server/archive/retention/forgotten-volumes.ts'
import { runOf } from '../../../server/archive/format/run.ts'
import { createSegmentIndex } from '../../../server/archive/index/segment-index.ts'
import { archiveSteps } from '../../../server/archive/repair/tables.ts'
import { repairArchive } from '../../../server/archive/repair/repair.ts'
import { removeStored } from '../../../server/archive/index/removing.ts'
import { ownVolume } from '../../../server/storage/volume-list.ts'
import { archiveFolder } from '../../../server/storage/folders.ts'
import { streamsSteps } from '../../../server/streams/tables.ts'
import { usersSteps } from '../../../server/users/tables.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import { init } from '../fixtures/paused-stream.ts'
import { openMembers, testClock } from '../fixtures/cluster-members.ts'
import { openArchives } from '../fixtures/nodes-archives.ts'
import { add, newFolder, record, t0, uid } from '../fixtures/tape.ts'
import { startVideo } from '../fixtures/video.ts'

const printed = (): string[] => {
  const lines: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(String(text).trimEnd())
    return true
  })
  onTestFinished(() => write.mockRestore())
  return lines
}

test('a volume whose disk is gone is forgotten, with the recordings that it had, when this was confirmed', async () => {
  const folder = newFolder()
  const [kept, lost] = ['kept', 'lost'].map((name) => join(folder, name))
  if (kept === undefined || lost === undefined) throw new Error('no folders')
  for (const path of [kept, lost]) mkdirSync(path)
  const video = await startVideo({ dataDir: folder, archiveDirs: [kept, lost] })
  await video.site.untilRepaired()
  await add(video)
  const { volumes, index } = video.site
  const chosen = vi.spyOn(volumes, 'targetFor')
  for (const [position, path] of [kept, lost].entries()) {
    const volume = volumes.all().find((each) => each.path === path)?.id ?? -1
    chosen.mockImplementation((of) => ({ volume, folder: volumes.folder(volume, of), marker: undefined }))
    await record(video, position * 4, position * 4 + 4)
  }
  chosen.mockRestore()
  const { store } = video.context
  const [before] = await index.totals()
  const forget = (name: string, isConfirmed = false, archiveDirs = [kept]) =>
    forgetLostVolume(store, { name, isConfirmed }, { archiveDirs, archiveUrl: undefined }, undefined)
  await expect(forget(join(folder, 'other'))).rejects.toThrow('The archive has no volume')
  await expect(forget(lost, true)).rejects.toThrow('is there: only a volume whose disk is gone can be forgotten')
  await expect(forget(lost, true, [kept, lost])).rejects.toThrow('from ARCHIVE_DIRS first')

  renameSync(lost, `${lost}-away`)
  const lines = printed()
  expect(await forget(lost)).toBe(0)
  const range = `${new Date(t0 + 4000).toISOString()} – ${new Date(t0 + 8000).toISOString()}`
  expect(lines).toEqual([
    `${lost} had recordings of 1 stream:`,
    expect.stringContaining(`  ${uid}: ${range}, `),
    'Nothing was changed. With --yes these recordings and the volume are removed from the index.',
  ])
  const ranges = () => index.recordedRanges(uid, t0, t0 + 9000)
  expect(await ranges()).toEqual([{ from: t0, to: t0 + 8000 }])
  expect(await forget(lost, true)).toBe(0)
  expect(await ranges()).toEqual([{ from: t0, to: t0 + 4000 }])
  const [after] = await index.totals()
  expect(after?.bytes).toBeLessThan(before?.bytes ?? 0)
  expect((await index.oldest(before?.recording ?? 0, t0 + 9000, 9)).map(({ bytes }) => bytes)).toEqual([after?.bytes])
  await expect(forget(lost, true)).rejects.toThrow('The archive has no volume')
  const logged = await video.ask('GET', '/v1/admin/audit-logs?action=server.forget-volume', { cookie: video.admin })
  expect(logged.body).toMatchObject({ items: [{ target: lost, outcome: 'ok' }] })
})

test('a volume whose disk comes back meanwhile is not forgotten to its end', async () => {
  const video = await startVideo()
  for (const of of ['gate', 'yard']) {
    await add(video, of)
    await record(video, 0, 4, { of })
  }
  const { store } = video.context
  let isBack = false
  const requireGone = (): void => {
    if (isBack) throw new Error('it is back')
    isBack = true
  }
  await expect(forgetVolume(store, ownVolume, requireGone)).rejects.toThrow('it is back')
  const left = (of: string) => video.site.index.recordedRanges(of, t0, t0 + 9000)
  expect([await left('gate'), await left('yard')]).toEqual([[], [{ from: t0, to: t0 + 4000 }]])
})

test('segments of older versions are forgotten with the data folder, and so are their runs', async () => {
  const store = await memoryStore(
    new Map([
      ['users', usersSteps],
      ['streams', streamsSteps],
      ['archive', archiveSteps],
    ]),
  )
  const index = createSegmentIndex(store)
  const { recording } = await index.open(uid)
  for (const id of [1, 2]) {
    const start = t0 + id * 1000
    const run = await index.putRun(recording, runOf(id, `run ${id}`, init))
    const times = { start, finish: start + 1000, duration: 1, mediaStart: id }
    const file = `2026112107/${start}.m4s`
    await index.addOld(recording, [{ ...times, run, bytes: 100, volume: ownVolume, file, offset: 0 }])
  }
  const bytes = async () => (await index.totals()).map((each) => each.bytes)
  expect(await bytes()).toEqual([200])
  await forgetVolume(store, ownVolume)
  expect([await bytes(), await index.old.count()]).toEqual([[0], 0])
  // The newest one stays, as it says what the stream was.
  expect(await store.all(z.object({ id: z.number() }), 'SELECT id FROM runs')).toEqual([{ id: 2 }])
})

test('a repair beside running nodes leaves the folders, and the garbage, of the others alone', async () => {
  const { store, folder, open, lease, chunks } = await openArchives()
  const [a, b] = [await open('a'), await open('b')]
  await lease('a', 1, 0)
  await a.record(0, 4, 1)
  await lease('b', 2, 4)
  for (const second of [4, 8, 12]) await b.record(second, second + 4, 2)
  const recording = (await b.index.recording(uid))?.recording ?? 0
  // One without a row, and one that the leader has picked.
  await b.index.removeChunk(recording, t0 + 8000)
  const all = await a.index.oldest(recording, t0 + 16_000, 9)
  await removeStored(
    a.index,
    a.volumes,
    all.filter(({ start }) => start === t0 + 12_000),
  )
  expect(await chunks()).toEqual(['0–4 on 1', '4–8 on 2'])
  const dataDir = join(folder, 'b')
  await repairArchive({
    store,
    dataDir,
    archiveDirs: [archiveFolder(dataDir)],
    cluster: { isShared: true, nodeId: 'b', isAvailable: (id) => id === 'a', isLeader: () => false },
    now: Date.now,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    warn: () => undefined,
  })
  expect(await chunks()).toEqual(['0–4 on 1', '4–8 on 2', '8–12 on 2'])
  const Missing = z.object({ missing: z.number() })
  expect(await store.all(Missing, 'SELECT missing FROM volumes WHERE id > 0')).toEqual([{ missing: 0 }, { missing: 0 }])
})

test('a command stands in for a node whose server is stopped', async () => {
  const { store, start, wait } = await openMembers()
  await start('a')
  const as = (nodeId?: string) => standInFor(store, nodeId, testClock)
  await expect(as()).rejects.toThrow('The nodes a run on this database: set NODE_ID to that of this machine')
  await expect(as('a')).rejects.toThrow('Stop the server of node a first')
  const beside = await as('b')
  expect([beside?.isLeader(), beside?.isAvailable('a')]).toEqual([false, true])
  await wait(13_000)
  expect(await as()).toBeUndefined()
  const alone = await as('b')
  expect([alone?.isLeader(), alone?.isAvailable('a')]).toEqual([true, false])
})
