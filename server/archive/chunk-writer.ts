import type { Counts } from './chunk-file.ts'
import type { Place } from './place.ts'
import type { Run } from './run.ts'
import { finishOf, openSpool, type Chunk, type Spool } from './spool.ts'

/** A segment that is about to be written. */
export type Coming = { start: number; run: Run; isKept: boolean; counts: Counts }

export type ChunkWriter = {
  /** The chunk that a segment goes into: the one in the making, or a new one. */
  spoolFor: (coming: Coming) => Promise<Spool>
  /** Ends the chunk in the making, and resolves when all chunks are sealed that can be. */
  end: () => Promise<void>
}

export type ChunkWriterOptions = {
  /** Where the next chunk goes. */
  place: () => Place
  onSealed: (chunk: Chunk, run: Run) => void
  onFailure: (error: unknown) => void
  onVolumeFailed?: ((volume: number) => void) | undefined
}

const maxMs = 60_000
const maxBytes = 16 * 1024 * 1024
/** What serves live alone stays for about two live windows, in target durations and at least. */
const passedTargets = 12
const passedMs = 120_000
/** Segments of a run that are farther apart have a gap between them. */
const gapMs = 500

/** Whether a chunk has room for another segment, as long as its last one, and it is one to follow on. */
const takes = (spool: Spool, { start, run, isKept }: Coming): boolean => {
  const last = spool.segments.at(-1)
  if (spool.run !== run || spool.isKept !== isKept) return false
  if (last === undefined) return spool.start === start
  const isNext = Math.abs(start - last.finish) < gapMs
  const hasRoom =
    last.finish - spool.start + (last.finish - last.start) <= maxMs && last.offset + 2 * last.bytes <= maxBytes
  return isNext && hasRoom
}

/** Puts the segments of a stream into chunks of a minute, each of one run and without a gap. */
export const createChunkWriter = (options: ChunkWriterOptions): ChunkWriter => {
  const { place, onSealed, onFailure, onVolumeFailed } = options
  const failed = new WeakSet<Spool>()
  let spool: Spool | undefined
  let unsealed: Spool[] = []
  let passed: Spool[] = []
  let sealing: Promise<void> = Promise.resolve()

  /** Whether recording goes on on another volume than that of a spool. */
  const isElsewhere = ({ volume }: Spool): boolean => {
    try {
      return place().volume !== volume
    } catch {
      return false
    }
  }

  /** A spool that couldn't be written ends, if there is another volume. */
  const watched = (opened: Spool): Spool => {
    const blame = (error: unknown): never => {
      failed.add(spool)
      onVolumeFailed?.(opened.volume)
      throw error
    }
    const spool: Spool = {
      ...opened,
      append: (bytes) => opened.append(bytes).catch(blame),
      commit: (times) => opened.commit(times).catch(blame),
    }
    return spool
  }

  const openNext = async (coming: Coming): Promise<Spool> => {
    const next = place()
    return openSpool({ ...coming, place: next }).then(watched, (error: unknown) => {
      onVolumeFailed?.(next.volume)
      throw error
    })
  }

  /** Those that the disk refused are tried again with the next one. */
  const sealAll = async (): Promise<void> => {
    const due = unsealed
    unsealed = []
    for (const each of due) {
      try {
        onSealed(await each.seal(), each.run)
      } catch (error) {
        unsealed.push(each)
        onVolumeFailed?.(each.volume)
        if (!isElsewhere(each)) onFailure(error)
      }
    }
  }

  const forgetPassed = async ({ start, counts }: Coming): Promise<void> => {
    const keptMs = Math.max(passedMs, passedTargets * 1000 * counts.targetDuration)
    const isOld = ({ segments }: Spool) => Math.abs(start - finishOf(segments)) > keptMs
    const old = passed.filter(isOld)
    passed = passed.filter((each) => !isOld(each))
    for (const each of old) await each.discard()
  }

  const rotate = async (): Promise<void> => {
    const done = spool
    spool = undefined
    if (done === undefined) return
    if (done.segments.length === 0) {
      try {
        await done.discard()
      } catch (error) {
        if (!failed.has(done)) throw error
      }
    } else if (done.isKept) {
      unsealed.push(done)
      sealing = sealing.then(sealAll)
    } else {
      await done.close()
      passed.push(done)
    }
  }

  return {
    spoolFor: async (coming) => {
      const isOver = spool !== undefined && failed.has(spool) && isElsewhere(spool)
      if (spool !== undefined && takes(spool, coming) && !isOver) return spool
      await rotate()
      await forgetPassed(coming)
      spool = await openNext(coming)
      return spool
    },
    end: async () => {
      await rotate()
      await sealing
    },
  }
}
