import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { hasVideo, hoursInIndex, hoursStored, repairHour } from './repair-files.ts'
import { codeOf, hourFolder, ignoring } from '../../storage/folders.ts'
import { addRepaired, isNotable, nothingRepaired, type RepairResult, type StreamArchive } from './repair-result.ts'
import type { SegmentIndex } from '../index/segment-index.ts'
import { hourMs } from '../../durations.ts'
import { StoreAway } from '../../store/connection.ts'
import { untilThere } from '../../store/while-away.ts'

export type BackgroundRepair = {
  /**
   * Recovers spools, then repairs the hours that a crash may have left without rows, then the others, each the newest
   * first. Beside that, adds up the sizes of segments of older versions. Waits while the database is away. Resolves
   * when it is done or aborted.
   */
  run: (signal: AbortSignal) => Promise<void>
  /** Stores the moment up to which files and rows agree; after the next start, later hours are repaired first. */
  markConsistent: () => Promise<void>
  /** Whether the hours that may lack rows after a crash are repaired; earlier hours may still be checked. */
  isDone: () => boolean
}

export type BackgroundRepairOptions = {
  index: SegmentIndex
  volumes: StreamArchive['volumes']
  archiveOf: (uid: string) => StreamArchive
  /** Seals the spools that a crash left, unless the stream records and has sealed them itself. */
  recover: (uid: string) => Promise<void>
  /** Called for each recording after the first hours, and again after the others, also if nothing was repaired. */
  report: (uid: string, repaired: RepairResult) => void
  now: () => number
  /** The pause before another attempt while the database is away. */
  retryMs?: number
}

const rowsAtOnce = 5000
/** The pause after the check of an hour, as a multiple of the time that the check took. */
const pauseFactor = 4
const minPauseMs = 20

/** The uids of all recordings that have files on available volumes. */
const recordingsStored = async (
  volumes: Pick<StreamArchive['volumes'], 'available' | 'storage'>,
): Promise<string[]> => {
  const names = await Promise.all(volumes.available().map(({ id }) => volumes.storage(id).recordings()))
  return [...new Set(names.flat())]
}

/**
 * Recordings that have video but no row, as after an older database was restored. A folder of something else must not
 * become a recording, which can be deleted with all its files.
 */
export const unknownRecordings = async (
  index: Pick<SegmentIndex, 'uids' | 'purged'>,
  volumes: StreamArchive['volumes'],
): Promise<string[]> => {
  const known = new Set([...(await index.uids()), ...(await index.purged()).map(({ uid }) => uid)])
  const unknown: string[] = []
  // A folder that may not be read is no recording of this server.
  const isRecording = async (uid: string) =>
    (await hasVideo({ volumes, uid }).catch(ignoring('EACCES', 'EPERM'))) === true
  for (const uid of await recordingsStored(volumes)) if (!known.has(uid) && (await isRecording(uid))) unknown.push(uid)
  return unknown
}

/** `hour`: the folder of an hour. */
type Task = { uid: string; hour: string }
/** The uids to repair, by hour: a site may have a million hours of recordings. */
type Tasks = Map<string, string[]>

export const createBackgroundRepair = ({
  index,
  volumes,
  archiveOf,
  recover,
  report,
  now,
  retryMs,
}: BackgroundRepairOptions): BackgroundRepair => {
  let isDone = false

  /** Repairs an hour, and adds the result to that of its recording. */
  const repair = async (
    { uid, hour }: Task,
    results: Map<string, RepairResult>,
    signal: AbortSignal,
  ): Promise<RepairResult> => {
    const failure = (error: unknown): RepairResult => ({
      ...nothingRepaired(),
      failed: [`${hour} (${codeOf(error) ?? String(error)})`],
    })
    const attempt = () => untilThere(() => repairHour(archiveOf(uid), hour), signal, retryMs)
    const repaired = (await attempt().catch(failure)) ?? nothingRepaired()
    const sum = results.get(uid) ?? nothingRepaired()
    results.set(uid, sum)
    addRepaired(sum, repaired)
    return repaired
  }

  const newestFirst = function* (tasks: Tasks): Generator<Task> {
    for (const hour of [...tasks.keys()].toSorted().toReversed())
      for (const uid of tasks.get(hour) ?? []) yield { uid, hour }
  }

  const repairEach = async (tasks: Tasks, signal: AbortSignal): Promise<void> => {
    const results = new Map<string, RepairResult>()
    for (const task of newestFirst(tasks)) {
      if (signal.aborted) break
      const startedAt = performance.now()
      // Where something was missing, more may be: goes on without a pause.
      if (isNotable(await repair(task, results, signal))) continue
      const pauseMs = Math.max(minPauseMs, (performance.now() - startedAt) * pauseFactor)
      await pause(pauseMs, undefined, { signal }).catch(() => undefined)
    }
    for (const [uid, repaired] of results) report(uid, repaired)
  }

  const hoursOf = async (uid: string): Promise<ReadonlySet<string>> => {
    const hours = new Set(await hoursStored({ volumes, uid }))
    for await (const hour of hoursInIndex({ index, volumes, uid })) hours.add(hour)
    return hours
  }

  /** None if its folder can't be read, which is reported: the other recordings are repaired all the same. */
  const readableHoursOf = async (uid: string): Promise<ReadonlySet<string>> => {
    try {
      return await hoursOf(uid)
    } catch (error) {
      if (error instanceof StoreAway) throw error
      report(uid, { ...nothingRepaired(), failed: [codeOf(error) ?? String(error)] })
      return new Set()
    }
  }

  const countBytes = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (await index.countSome(rowsAtOnce))) await nextTurn()
  }

  const repairAll = async (signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return
    for (const uid of await unknownRecordings(index, volumes)) await index.open(uid)
    const [urgent, others]: [Tasks, Tasks] = [new Map(), new Map()]
    for (const uid of await index.uids()) {
      await recover(uid)
      const consistent = hourFolder(await index.consistentUntil(uid))
      for (const hour of await readableHoursOf(uid)) {
        const tasks = hour >= consistent ? urgent : others
        const known = tasks.get(hour)
        if (known === undefined) tasks.set(hour, [uid])
        else known.push(uid)
      }
      await nextTurn()
    }
    await repairEach(urgent, signal)
    if (signal.aborted) return
    isDone = true
    await repairEach(others, signal)
  }

  return {
    run: async (signal) => {
      const attempt = (work: typeof repairAll) => untilThere(() => work(signal), signal, retryMs)
      await Promise.all([attempt(countBytes), attempt(repairAll)])
    },
    isDone: () => isDone,
    markConsistent: async () => {
      if (isDone) await index.markConsistent(now() - 2 * hourMs)
    },
  }
}
