import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeBackup } from '../../../server/backup/backup.ts'
import { restoreBackup } from '../../../server/backup/restore.ts'
import { isOnFile } from '../fixtures/database.ts'
import { add, indexContent, newFolder, record } from '../fixtures/tape.ts'
import { startVideo } from '../fixtures/video.ts'

const steps = { signal: new AbortController().signal, report: () => undefined, onProgress: () => undefined }

const disksIn = (folder: string): string[] =>
  ['a', 'b'].map((name) => {
    const path = join(folder, name)
    mkdirSync(path)
    return path
  })

const open = async (dataDir: string, archiveDirs: readonly string[], addsAdmin = true) => {
  const video = await startVideo({ dataDir, archiveDirs, addsAdmin })
  await video.site.untilRepaired()
  return video
}

test.runIf(isOnFile)('the drill with two volumes, which the new machine has at other paths', async () => {
  const [dataDir, disks] = [newFolder(), disksIn(newFolder())]
  const video = await open(dataDir, disks)
  await add(video)
  const { volumes } = video.site
  const chosen = vi.spyOn(volumes, 'targetFor')
  for (const [position, path] of disks.entries()) {
    const volume = volumes.all().find((each) => each.path === path)?.id ?? -1
    chosen.mockImplementation((of) => ({ volume, folder: volumes.folder(volume, of), marker: undefined }))
    await record(video, position * 4, position * 4 + 4)
  }
  chosen.mockRestore()
  const before = await indexContent(video)
  const backup = join(newFolder(), 'monday')
  await makeBackup({ dataDir }, backup, steps)
  await video.app.close()

  const [elsewhere, mounted] = [join(newFolder(), 'data'), disksIn(newFolder())]
  const copy = (position: number): void => {
    const [from, to] = [disks[position] ?? '', mounted[position] ?? '']
    for (const line of readFileSync(join(backup, `chunks-${position + 1}.txt`), 'utf8')
      .trim()
      .split('\n')) {
      mkdirSync(dirname(join(to, line)), { recursive: true })
      cpSync(join(from, line), join(to, line))
    }
  }
  copy(0)
  const found = await restoreBackup(backup, { dataDir: elsewhere, archiveDirs: mounted }, steps)
  expect(found?.map(({ id, path, chunks, present }) => ({ id, path, chunks, present }))).toEqual([
    { id: 0, path: join(elsewhere, 'archive'), chunks: 0, present: 0 },
    { id: 1, path: mounted[0], chunks: 1, present: 1 },
    // Nothing has said yet where this one will be.
    { id: 2, path: disks[1], chunks: 1, present: 1 },
  ])
  copy(1)
  const again = await open(elsewhere, mounted, false)
  onTestFinished(() => again.app.close().then(() => undefined))
  expect(await indexContent(again)).toEqual(before)
  expect(again.site.volumes.folders().flatMap(({ path, state }) => (state === 'there' ? [path] : []))).toEqual(
    expect.arrayContaining(mounted),
  )
})
