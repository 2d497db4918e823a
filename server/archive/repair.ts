import { mkdir } from 'node:fs/promises'
import { archiveSteps } from './tables.ts'
import type { Store } from '../store/store.ts'
import { foldersOf, hoursOnDisk, repairHour, recoverStream } from './adopt.ts'
import { archiveFolder } from './folders.ts'
import { nothingRepaired, type RepairResult, type StreamArchive } from './repair-result.ts'
import { recordingsOnDisk } from './background-repair.ts'
import { createRunIds } from './run.ts'
import { createSegmentIndex } from './segment-index.ts'
import { openVolumes } from './volumes.ts'

export type RepairOptions = {
  store: Store
  dataDir: string
  archiveDirs: readonly string[]
  now: () => number
  /** Called after each hour of a stream. */
  onProgress: (progress: { uid: string; done: number; of: number }) => void
  signal: AbortSignal
  warn: (detail: object, message: string) => void
}

const add = (sum: RepairResult, { restored, rows, aside, failed }: RepairResult): void => {
  sum.restored += restored
  sum.rows += rows
  sum.aside.push(...aside)
  sum.failed.push(...failed)
}

/**
 * Rebuilds the index from the files while the server is stopped: indexes files without rows and removes rows without
 * files. Can be interrupted and run again.
 */
export const repairArchive = async (options: RepairOptions): Promise<Map<string, RepairResult>> => {
  const { store, dataDir, archiveDirs, now, onProgress, signal } = options
  await store.migrate('archive', archiveSteps)
  const index = createSegmentIndex(store)
  const runId = createRunIds(0, now)
  await mkdir(archiveFolder(dataDir), { recursive: true, mode: 0o700 })
  const volumes = await openVolumes({ store, dataDir, archiveDirs, now, warn: options.warn })
  const purged = new Set((await index.purged()).map(({ uid }) => uid))
  const uids = (await recordingsOnDisk(volumes)).filter((uid) => !purged.has(uid))
  await volumes.stop()
  const found = new Map<string, RepairResult>()
  for (const uid of uids) {
    if (signal.aborted) return found
    const archive: StreamArchive = { index, volumes, uid, isArchived: true, runId }
    const repaired = nothingRepaired()
    found.set(uid, repaired)
    add(repaired, await recoverStream(archive))
    const hours = (await hoursOnDisk(foldersOf(archive))).toSorted().toReversed()
    for (const [place, hour] of hours.entries()) {
      if (signal.aborted) return found
      add(repaired, await repairHour(archive, hour))
      onProgress({ uid, done: place + 1, of: hours.length })
    }
  }
  return found
}
