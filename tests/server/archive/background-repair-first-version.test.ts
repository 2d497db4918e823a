import { expect, test } from 'vitest'
import { repairHour } from '../../../server/archive/repair/repair-files.ts'
import { hourFolder } from '../../../server/storage/folders.ts'
import { add, archiveOf, forget, indexContent, newFolder, open, recordOldFormat, t0, uid } from '../fixtures/tape.ts'

test('files of the first version are indexed with the run that continues in them', async () => {
  const video = await open(newFolder())
  await add(video)
  const [gate, yard] = [await recordOldFormat(video, 0, 20), await recordOldFormat(video, 30, 40, 'yard')]
  const before = await indexContent(video)
  const runs = async () => (await video.site.index.within(uid, t0, t0 + 60_000, 100)).map(({ run }) => run)
  for (const second of [4, 6, 12, 18, 34]) {
    await video.context.store.run('DELETE FROM segments WHERE start = ?', t0 + second * 1000)
  }
  const location = archiveOf(video)
  const hours = [hourFolder(t0 + 30_000), hourFolder(t0)]
  const restored = []
  for (const hour of hours) restored.push((await repairHour(location, hour)).restored)
  expect(restored).toEqual([3, 2])
  expect(await indexContent(video)).toEqual(before)
  expect(await runs()).toEqual([
    ...Array.from({ length: 10 }, () => gate.id),
    ...Array.from({ length: 5 }, () => yard.id),
  ])
})

test('files whose run is lost get a new run with the nearest init that fits; others are moved to lost+found', async () => {
  const video = await open(newFolder())
  await add(video)
  const gate = await recordOldFormat(video, 0, 8)
  await recordOldFormat(video, 12, 16)
  await recordOldFormat(video, 20, 24, 'yard')
  const { index } = video.site
  await forget(video, 12)
  await video.context.store.run('DELETE FROM runs WHERE id > ?', gate.id)
  const repaired = await repairHour(archiveOf(video), hourFolder(t0 + 12_000))
  expect(repaired).toMatchObject({ restored: 2, removedRows: 0, failed: [] })
  expect(repaired.movedFiles).toEqual([20, 22].map((second) => `${hourFolder(t0 + 12_000)}/${t0 + second * 1000}.m4s`))
  const found = await index.within(uid, t0, t0 + 60_000, 100)
  const [, , , , , , again] = found
  expect(found.map(({ start }) => (start - t0) / 1000)).toEqual([0, 2, 4, 6, 12, 14])
  expect(again?.run).not.toBe(gate.id)
  expect(found.slice(4).map(({ run }) => run)).toEqual([found[4]?.run, found[4]?.run])
})
