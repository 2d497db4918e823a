import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { makeBackup } from '../server/backup/backup.ts'
import { restoreBackup } from '../server/backup/restore.ts'
import { archiveFolder } from '../server/storage/folders.ts'
import { databaseName } from '../server/store/secure-folder.ts'
import { openDatabase } from '../server/store/sqlite.ts'
import type { Figure } from './figures.ts'
import { withMonth } from './site/month-archive.ts'

const Tables = z.array(z.object({ name: z.string() }))

const control = {
  signal: new AbortController().signal,
  report: (line: string) => void process.stdout.write(`${line}\n`),
  onProgress: () => undefined,
}

const figure = (name: string, value: number, unit: string, goal: Figure['goal'] = {}): Figure => ({
  name,
  values: [value],
  unit,
  goal,
})

const seconds = async <Result>(work: () => Promise<Result>): Promise<[Result, number]> => {
  const began = performance.now()
  const result = await work()
  return [result, (performance.now() - began) / 1000]
}

/** The number of rows in which two databases differ, table by table in the order in which they are stored. */
const differencesOf = (folders: readonly [string, string]): number => {
  const [one, other] = [
    openDatabase(join(folders[0], databaseName), true),
    openDatabase(join(folders[1], databaseName), true),
  ]
  let count = 0
  const named = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
  for (const { name } of z.parse(Tables, one.prepare(named).all())) {
    const rows = other.prepare(`SELECT * FROM "${name}"`).iterate()
    for (const row of one.prepare(`SELECT * FROM "${name}"`).iterate()) {
      const restored = rows.next()
      if (restored.done === true || !isDeepStrictEqual(row, restored.value)) count += 1
    }
    count += [...rows].length
  }
  one.close()
  other.close()
  return count
}

const measure = async (dataDir: string, folder: string): Promise<Figure[]> => {
  const [backup, elsewhere] = [join(folder, 'backup'), join(folder, 'elsewhere')]
  const [made, backupSeconds] = await seconds(() => makeBackup({ dataDir }, backup, control))
  // The recordings are brought before the restore, which counts them.
  mkdirSync(elsewhere)
  renameSync(archiveFolder(dataDir), archiveFolder(elsewhere))
  const [volumes = [], restoreSeconds] = await seconds(() => restoreBackup(backup, { dataDir: elsewhere }, control))
  const chunks = made?.volumes.reduce((sum, volume) => sum + volume.chunks, 0) ?? Number.NaN
  const bytes = made?.files.reduce((sum, file) => sum + file.bytes, 0) ?? Number.NaN
  const present = volumes.reduce((sum, volume) => sum + volume.present, 0)
  return [
    figure('backup', backupSeconds, 's'),
    figure('size of the backup', bytes / 1e6, 'MB'),
    figure('restore, with all chunks counted', restoreSeconds, 's'),
    figure('chunks', chunks, ''),
    figure('chunks that the restore misses', chunks - present, '', { worst: 0, lost: 0 }),
    figure('rows that differ', differencesOf([dataDir, elsewhere]), '', { worst: 0, lost: 0 }),
  ]
}

/**
 * `backup`: how long backup and restore of 64 cameras with thirty days of archive take, beside which nothing runs, and
 * whether the restored database is equal.
 */
export async function backup(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  const dataDir = join(folder, 'data')
  try {
    await withMonth(dataDir, async () => undefined)
    return await measure(dataDir, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
