import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createRetention } from '../../../server/archive/retention/retention.ts'
import { archiveFolder } from '../../../server/storage/folders.ts'
import { add, newFolder, open, pathOf, record, t0, uid } from '../fixtures/tape.ts'
import type { VideoHarness } from '../fixtures/video.ts'

const health = async (video: VideoHarness): Promise<unknown[]> => {
  const { body } = await video.ask('GET', '/v1/system/health', { cookie: video.admin })
  return z
    .parse(z.object({ warnings: z.array(z.looseObject({ code: z.string() })) }), body)
    .warnings.filter(({ code }) => code.startsWith('ARCHIVE_'))
}
const startsOf = async ({ site: { index } }: VideoHarness): Promise<number[]> => {
  const { recording } = await index.open(uid)
  return (await index.chunksIn(recording, t0, t0 + 3_600_000)).map(({ start }) => (start - t0) / 1000)
}

/** A server whose archive had two chunks at its last start, and is now an empty folder: its disk isn't mounted. */
const unmounted = async () => {
  const dataDir = newFolder()
  const first = await open(dataDir)
  await add(first)
  await record(first, 0, 8, { chunkSeconds: 4 })
  await first.app.close()
  const path = archiveFolder(dataDir)
  renameSync(path, `${path}-away`)
  mkdirSync(path)
  return { dataDir, path, video: await open(dataDir, false) }
}

test('rows of an archive whose disk is not mounted stay, also after further starts, and are played once it is', async () => {
  const { dataDir, path, video } = await unmounted()
  const bytes = (await video.site.index.totalsOn(0))[0]?.bytes
  expect(await startsOf(video)).toEqual([0, 4])
  expect(await health(video)).toEqual([{ code: 'ARCHIVE_VOLUME_MISSING', volumes: [{ path, bytes }] }])
  // Recording goes on in the mount point.
  await record(video, 20, 24)
  expect(existsSync(pathOf(video, 20))).toBe(true)
  await video.app.close()
  const again = await open(dataDir, false)
  expect(await startsOf(again)).toEqual([0, 4, 20])
  expect(await health(again)).toHaveLength(1)

  rmSync(path, { recursive: true })
  renameSync(`${path}-away`, path)
  await again.site.volumes.refresh()
  await again.site.untilRepacked()
  expect(await health(again)).toEqual([])
  expect(await startsOf(again)).toEqual([0, 4])
  const segment = await again.site.index.at(uid, t0)
  if (segment === undefined) throw new Error('nothing is recorded')
  expect((await again.site.read(uid, segment)).length).toBe(segment.bytes)
})

test('a full mount point loses what was recorded there, and no rows of the disk', async () => {
  const { video } = await unmounted()
  await record(video, 20, 24)
  const { context, site } = video
  const retention = createRetention({ ...context, now: () => t0 + 60_000 }, site, async () => ({
    freeBytes: existsSync(pathOf(video, 20)) ? 0 : 2e10,
    totalBytes: 2e10,
  }))
  await retention.sweep()
  await retention.stop()
  expect(await startsOf(video)).toEqual([0, 4])
})

test('recordings that are gone for good leave the index once the note is deleted', async () => {
  const { path, video } = await unmounted()
  await record(video, 20, 24)
  rmSync(join(path, 'sightline-not-mounted.json'))
  await video.site.volumes.refresh()
  await video.site.untilRepacked()
  expect([await startsOf(video), await health(video)]).toEqual([[20], []])
})

test('an archive that is new, or that retention has emptied, is mounted', async () => {
  const dataDir = newFolder()
  mkdirSync(archiveFolder(dataDir))
  const first = await open(dataDir)
  await add(first)
  await record(first, 0, 4)
  await first.site.change(uid, (row) => ({ ...row, depthHours: 1 }))
  const retention = createRetention({ ...first.context, now: () => t0 + 7_200_000 }, first.site)
  await retention.sweep()
  await retention.stop()
  await first.app.close()
  rmSync(join(archiveFolder(dataDir), uid), { recursive: true })
  const again = await open(dataDir, false)
  expect([await startsOf(again), await health(again)]).toEqual([[], []])
  expect(readdirSync(archiveFolder(dataDir))).not.toContain('sightline-not-mounted.json')
})
