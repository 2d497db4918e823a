import { setTimeout as pause } from 'node:timers/promises'
import { guarded } from '../../guarded.ts'
import { isStoreWriteError } from '../../store/disk-error.ts'
import { StorageAway } from '../../storage/chunk-storage.ts'
import { chunkFile } from '../../storage/folders.ts'
import type { Volumes } from '../../storage/volumes.ts'
import { liveFileMs } from '../format/segment.ts'
import type { StoredChunk } from './chunk-rows.ts'
import { removeGarbage } from './garbage.ts'
import { createCopies } from './hand-in-copies.ts'
import { earliestFirst } from './merged-segments.ts'
import { minMoment, totalBytesOf } from './recordings.ts'
import type { SegmentIndex } from './segment-index.ts'
import { createSkippedChunks, nameOfChunk } from './skipped-chunks.ts'

/** Sealed chunks that are still on disks. `oldest`: the start of the first of them, epoch milliseconds. */
type Spooled = { bytes: number; oldest: number | undefined }
const noneSpooled: Spooled = { bytes: 0, oldest: undefined }

export type HandIn = {
  /** Hands chunks in and removes garbage until `signal` aborts. */
  run: (signal: AbortSignal) => Promise<void>
  /** Called when a chunk was indexed. */
  wake: () => void
  /** Resolves when everything that is indexed by now is handed in. */
  settled: () => Promise<void>
  /** Whether the file of a chunk stays on the disk for now, although it was handed in. */
  keepsCopy: (uid: string, start: number) => boolean
  spooled: () => Spooled
  /** Since the start: chunks handed in, and attempts that failed. */
  counts: () => { handedIn: number; failed: number }
  /** Why nothing can be handed in; undefined if the last attempt succeeded. */
  failure: () => string | undefined
  /** Chunks that can't be handed in, as the bucket has another object of that name: `recording/hour/start.mp4`. */
  conflicts: () => readonly string[]
}

type Options = {
  index: SegmentIndex
  volumes: Pick<Volumes, 'all' | 'folders' | 'folder' | 'storage' | 'bucket' | 'isFull' | 'collectsGarbage'>
  now: () => number
  warn: (detail: object, message: string) => void
}

/** The file of a chunk can't be read from its disk; `cause` says why. The bucket may be there all the same. */
class Unreadable extends Error {}

const recordingsAtOnce = 4
/** The chunks of one recording that a round hands in. */
const maxChunks = 8
const everyMs = 15_000
/** The limits of the pause after a failed attempt, which doubles each time. */
const [minWaitMs, maxWaitMs] = [1000, 30_000]

/** `hanging`: disks that didn't answer in this round. */
type Round = { bucket: number; hanging: Set<number>; signal: AbortSignal }

/** Hands sealed chunks in to the bucket, the oldest of each recording first, and retries what fails. */
export const createHandIn = ({ index, volumes, now, warn }: Options): HandIn => {
  const skipped = createSkippedChunks(index, now)
  /** Chunks whose row may be moved, as the connection broke meanwhile. */
  const mayBeMoved = new Set<StoredChunk>()
  const counts = { handedIn: 0, failed: 0 }
  const copies = createCopies({ volumes, now, warn })
  let spooled = noneSpooled
  let failure: string | undefined
  let woken = Promise.withResolvers<void>()
  /** Of `settled`; called once a round finds nothing left to hand in. */
  let settledCallbacks: (() => void)[] = []

  /** The next chunks of each recording. Asks only for those that have any here: a cluster has many more. */
  const due = async (): Promise<StoredChunk[][]> => {
    const found: StoredChunk[] = []
    for (const { id } of volumes.folders())
      for (const recording of await index.heldOn(id))
        found.push(...(await index.chunksOn(id, recording, minMoment, maxChunks + skipped.count())))
    const next = found.filter((each) => !skipped.has(each)).toSorted(earliestFirst)
    return [...Map.groupBy(next, ({ recording }) => recording).values()].map((each) => each.slice(0, maxChunks))
  }

  const noteMoved = async ({ uid, start, volume }: StoredChunk): Promise<void> => {
    counts.handedIn += 1
    const { targetDuration = 0 } = (await index.recording(uid).catch(() => undefined)) ?? {}
    copies.add({ uid, start, volume, until: now() + liveFileMs(targetDuration) })
  }

  const handIn = async (bucket: number, chunk: StoredChunk, signal: AbortSignal): Promise<void> => {
    const { recording, uid, start, volume, bytes } = chunk
    const file = chunkFile(start)
    // An object that is listed as garbage may have this name, and would be removed later.
    if (await index.garbage.has(bucket, chunk)) {
      await removeGarbage(index, volumes, signal)
      if (await index.garbage.has(bucket, chunk)) throw new StorageAway('The leader removes garbage of that name first')
    }
    const content = await volumes
      .storage(volume)
      .read(uid, file, { offset: 0, bytes })
      .catch((error: unknown) => {
        throw new Unreadable('The file of the chunk was not read', { cause: error })
      })
    await volumes.storage(bucket).put(uid, file, content, signal)
    mayBeMoved.add(chunk)
    const isMoved = await index.moveChunk(recording, chunk, bucket)
    mayBeMoved.delete(chunk)
    if (isMoved) await noteMoved(chunk)
  }

  /** Follows rows that were moved although the answer was lost. */
  const findMoved = async (): Promise<void> => {
    for (const chunk of mayBeMoved) {
      const [row] = await index.chunksIn(chunk.recording, chunk.start, chunk.start + 1)
      mayBeMoved.delete(chunk)
      if (row?.volume !== chunk.volume) await noteMoved(chunk)
    }
  }

  const isAway = (error: unknown): boolean => error instanceof StorageAway || isStoreWriteError(error)

  /** False if the bucket or the database is away. */
  const handInSome = async ({ bucket, hanging, signal }: Round, chunks: readonly StoredChunk[]): Promise<boolean> => {
    for (const chunk of chunks) {
      if (signal.aborted) return true
      // Each call takes half a minute, in which nothing else is handed in.
      if (hanging.has(chunk.volume)) continue
      try {
        await handIn(bucket, chunk, signal)
      } catch (error) {
        if (signal.aborted) return true
        counts.failed += 1
        if (isAway(error)) {
          failure = error instanceof Error ? error.message : String(error)
          await measure().catch(() => undefined)
          return false
        }
        // Either the file can't be read, for now or until the next repair, or there is a conflict.
        const reason = error instanceof Unreadable ? error.cause : error
        skipped.add(chunk, reason)
        if (reason instanceof StorageAway) hanging.add(chunk.volume)
        warn({ err: reason, name: nameOfChunk(chunk) }, 'a chunk was not handed in')
      }
    }
    return true
  }

  const measure = async (): Promise<void> => {
    const chunks = (await due()).flat()
    if (chunks.length === 0) {
      spooled = noneSpooled
      return
    }
    const totals = await Promise.all(volumes.folders().map(({ id }) => index.totalsOn(id)))
    spooled = {
      bytes: totalBytesOf(totals.flat()),
      oldest: Math.min(...chunks.map(({ start }) => start)),
    }
  }

  /** `all`: no chunk is left. `some`: more chunks may be left. `away`: the bucket or the database is away. */
  type RoundResult = 'all' | 'some' | 'away'

  /** Hands in the next chunks of each recording. */
  const round = async (bucket: number, signal: AbortSignal): Promise<RoundResult> => {
    await findMoved()
    await skipped.refresh()
    const chunks = await due()
    if (chunks.length === 0) {
      spooled = noneSpooled
      return 'all'
    }
    const left = [...chunks]
    const these: Round = { bucket, hanging: new Set(), signal }
    let isReachable = true
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined && isReachable; next = left.shift())
        if (!(await handInSome(these, next))) isReachable = false
    }
    await Promise.all(Array.from({ length: recordingsAtOnce }, work))
    if (isReachable) failure = undefined
    return isReachable ? 'some' : 'away'
  }

  const attempt = async (signal: AbortSignal): Promise<RoundResult> => {
    const tried = async (work: () => Promise<RoundResult>): Promise<RoundResult> => {
      try {
        return await work()
      } catch (error) {
        if (signal.aborted) return 'away'
        failure = error instanceof Error ? error.message : String(error)
        if (!isAway(error)) warn({ err: error }, 'chunks were not handed in')
        return 'away'
      }
    }
    const bucket = volumes.bucket()
    const handedIn = await tried(async () => (bucket === undefined ? 'all' : round(bucket, signal)))
    // While the bucket is away, too: there may be garbage on the disks.
    const done = await tried(async () => {
      await removeGarbage(index, volumes, signal)
      return handedIn
    })
    if (done === 'all') failure = undefined
    return done
  }

  const repeat = async (signal: AbortSignal): Promise<void> => {
    for (let waitMs = minWaitMs; !signal.aborted;) {
      woken = Promise.withResolvers()
      const waiting = settledCallbacks
      settledCallbacks = []
      const done = await attempt(signal)
      if (done === 'all') for (const resolve of waiting) resolve()
      else settledCallbacks.push(...waiting)
      await copies.drop(signal)
      if (done === 'some') continue
      waitMs = done === 'away' ? Math.min(maxWaitMs, waitMs * 2) : minWaitMs
      const wait = pause(done === 'away' ? waitMs : everyMs, undefined, { signal }).catch(() => undefined)
      await (done === 'away' ? wait : Promise.race([wait, woken.promise]))
    }
  }

  return {
    run: async (signal) => {
      if (!volumes.all().some(({ isBucket }) => isBucket)) return
      // Measured apart from the rounds, which may wait long for a slow bucket.
      const update = () =>
        measure().catch((error: unknown) => {
          if (!signal.aborted) warn({ err: error }, 'spooled chunks were not counted')
        })
      const timer = setInterval(guarded('hand-in: count', update), everyMs)
      try {
        await repeat(signal)
      } finally {
        clearInterval(timer)
      }
    },
    wake: () => woken.resolve(),
    settled: () =>
      new Promise((resolve) => {
        if (volumes.bucket() === undefined) resolve()
        else settledCallbacks.push(resolve)
        woken.resolve()
      }),
    keepsCopy: copies.has,
    spooled: () => spooled,
    counts: () => counts,
    failure: () => failure,
    conflicts: skipped.conflicts,
  }
}
