import { readdir } from 'node:fs/promises'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { foldersOf, hasVideo, hoursInIndex, hoursOnDisk, mendHour } from './adopt.ts'
import { codeOf, hourFolder, unless } from './folders.ts'
import { isNotable, nothingMended, type Mended, type StreamArchive } from './mended.ts'
import type { SegmentIndex } from './segment-index.ts'
import { hourMs } from '../durations.ts'

export type Mending = {
  /** Repairs what the last run left, newest hours first. Resolves when done or aborted. */
  run: (signal: AbortSignal) => Promise<void>
  /** Records the moment up to which files and rows agree; the next start begins there. */
  settle: () => Promise<void>
  /** The last run's state is repaired; older hours may still be in work. */
  isDone: () => boolean
}

export type MendingOptions = {
  index: SegmentIndex
  volumes: StreamArchive['volumes']
  archiveOf: (uid: string) => StreamArchive
  /** Seals what a crash left in the making of a recording that nothing records. */
  recover: (uid: string) => Promise<void>
  report: (uid: string, mended: Mended) => void
  now: () => number
}

const rowsCounted = 5000
/** Pause between checks of old hours, in multiples of their duration. */
const restShare = 4
const leastRestMs = 20

/** The names of all folders of recordings; a disk's own `lost+found` isn't one. */
export const recordingsOnDisk = async (volumes: Pick<StreamArchive['volumes'], 'there'>): Promise<string[]> => {
  const names = new Set<string>()
  for (const { path } of volumes.there()) {
    const entries = (await readdir(path, { withFileTypes: true }).catch(unless('ENOENT'))) ?? []
    for (const entry of entries) if (entry.isDirectory() && entry.name !== 'lost+found') names.add(entry.name)
  }
  return [...names]
}

type Task = { uid: string; hour: string }

export const createMending = ({ index, volumes, archiveOf, recover, report, now }: MendingOptions): Mending => {
  let isDone = false

  const mend = async ({ uid, hour }: Task, found: Map<string, Mended>): Promise<Mended> => {
    const unread = (error: unknown): Mended => ({
      ...nothingMended(),
      failed: [`${hour} (${codeOf(error) ?? String(error)})`],
    })
    const mended = await mendHour(archiveOf(uid), hour).catch(unread)
    const before = found.get(uid) ?? nothingMended()
    found.set(uid, {
      brought: before.brought + mended.brought,
      rows: before.rows + mended.rows,
      aside: [...before.aside, ...mended.aside],
      failed: [...before.failed, ...mended.failed],
    })
    return mended
  }

  const mendEach = async (tasks: readonly Task[], signal: AbortSignal): Promise<void> => {
    const found = new Map<string, Mended>()
    for (const task of tasks.toSorted((a, b) => b.hour.localeCompare(a.hour))) {
      if (signal.aborted) break
      const startedAt = performance.now()
      if (isNotable(await mend(task, found))) continue
      const restMs = Math.max(leastRestMs, (performance.now() - startedAt) * restShare)
      await pause(restMs, undefined, { signal }).catch(() => undefined)
    }
    tell(found)
  }

  const tell = (found: Map<string, Mended>): void => {
    for (const [uid, mended] of found) report(uid, mended)
  }

  /** Opens recordings on disk that an older database doesn't know. */
  const giveBack = async (): Promise<void> => {
    const known = new Set([...(await index.uids()), ...(await index.purged()).map(({ uid }) => uid)])
    for (const uid of await recordingsOnDisk(volumes)) {
      if (!known.has(uid) && (await hasVideo(foldersOf({ volumes, uid })))) await index.open(uid)
    }
  }

  const tasksOf = async (uid: string): Promise<Task[]> => {
    const hours = new Set(await hoursOnDisk(foldersOf({ volumes, uid })))
    for await (const hour of hoursInIndex({ index, uid })) hours.add(hour)
    return [...hours].map((hour) => ({ uid, hour }))
  }

  const count = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (await index.countSome(rowsCounted))) await turn()
  }

  const mendAll = async (signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return
    await giveBack()
    const [soon, later]: [Task[], Task[]] = [[], []]
    for (const uid of await index.uids()) {
      await recover(uid)
      const settled = hourFolder(await index.settledUntil(uid))
      for (const task of await tasksOf(uid)) (task.hour >= settled ? soon : later).push(task)
      await turn()
    }
    await mendEach(soon, signal)
    if (signal.aborted) return
    isDone = true
    await mendEach(later, signal)
  }

  return {
    run: async (signal) => {
      await Promise.all([count(signal), mendAll(signal)])
    },
    isDone: () => isDone,
    settle: async () => {
      if (isDone) await index.settle(now() - 2 * hourMs)
    },
  }
}
