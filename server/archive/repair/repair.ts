import { mkdir } from 'node:fs/promises'
import type { StandIn } from '../../cluster/stand-in.ts'
import type { Store } from '../../store/store.ts'
import { hoursInIndex, hoursStored, repairHour, recoverStream } from './repair-files.ts'
import { StorageAway } from '../../storage/chunk-storage.ts'
import { archiveFolder, codeOf } from '../../storage/folders.ts'
import { StoreAway } from '../../store/connection.ts'
import { addRepaired, nothingRepaired, type RepairResult, type StreamArchive } from './repair-result.ts'
import { unknownRecordings } from './background-repair.ts'
import { removeGarbage } from '../index/garbage.ts'
import { createRunIds } from '../format/run.ts'
import { createSegmentIndex } from '../index/segment-index.ts'
import { openVolumes } from '../../storage/volumes.ts'

export type RepairOptions = {
  store: Store
  dataDir: string
  archiveDirs: readonly string[]
  archiveUrl?: string | undefined
  /** The node of a cluster whose server is stopped; undefined for one server alone. */
  cluster?: StandIn | undefined
  now: () => number
  /** Called after each hour of a stream. */
  onProgress: (progress: { uid: string; done: number; of: number }) => void
  signal: AbortSignal
  warn: (detail: object, message: string) => void
}

/** A folder that can't be read must not keep the others from being repaired. */
const failureOf =
  (name: string) =>
  (error: unknown): RepairResult => {
    if (error instanceof StoreAway || error instanceof StorageAway) throw error
    return { ...nothingRepaired(), failed: [`${name} (${codeOf(error) ?? String(error)})`] }
  }

/**
 * Makes the index agree with the files while the server is stopped: indexes files without rows and removes rows without
 * files; beside the nodes of a cluster, those of its own folders and of the bucket. Can be interrupted and run again.
 */
export const repairArchive = async (options: RepairOptions): Promise<Map<string, RepairResult>> => {
  const { store, dataDir, archiveDirs, archiveUrl, cluster, now, onProgress, signal } = options
  const runId = createRunIds(0, now)
  const volumes = await openVolumes({
    store,
    dataDir,
    archiveDirs,
    archiveUrl,
    ...(cluster === undefined ? {} : { cluster }),
    warn: options.warn,
  })
  // After the volumes were opened, for which an empty folder is a mount point without its disk.
  await mkdir(archiveFolder(dataDir), { recursive: true, mode: 0o700 })
  const index = createSegmentIndex(store, volumes, cluster !== undefined)
  const found = new Map<string, RepairResult>()
  try {
    // Otherwise the repair would take them for chunks without rows.
    await removeGarbage(index, volumes, signal)
    for (const uid of [...(await index.uids()), ...(await unknownRecordings(index, volumes))]) {
      if (signal.aborted) break
      const archive: StreamArchive = { index, volumes, uid, isArchived: true, runId }
      const repaired = nothingRepaired()
      found.set(uid, repaired)
      addRepaired(repaired, await recoverStream(archive).catch(failureOf('newest files')))
      const stored = await hoursStored(archive).catch((error: unknown) => {
        addRepaired(repaired, failureOf('hours')(error))
        return []
      })
      const allHours = new Set(stored)
      // An hour whose files are all gone has no folder.
      for await (const hour of hoursInIndex(archive, volumes.all())) allHours.add(hour)
      const hours = [...allHours].toSorted().toReversed()
      for (const [position, hour] of hours.entries()) {
        if (signal.aborted) break
        addRepaired(repaired, await repairHour(archive, hour).catch(failureOf(hour)))
        onProgress({ uid, done: position + 1, of: hours.length })
      }
    }
    return found
  } finally {
    await volumes.stop()
  }
}
