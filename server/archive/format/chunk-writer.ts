import type { Counts } from './chunk-file.ts'
import type { WriteTarget } from '../../storage/write-target.ts'
import type { Run } from './run.ts'
import { chunkGapMs, liveFileMs, maxChunkBytes, maxChunkMs } from './segment.ts'
import { finishOf, openSpool, type Chunk, type Spool } from './spool.ts'

/** The segment to be written next. `counts`: the counters before it. */
type IncomingSegment = { start: number; run: Run; isKept: boolean; counts: Counts }

export type ChunkWriter = {
  /** The spool for a segment: the open one, or a new one. */
  spoolFor: (incoming: IncomingSegment) => Promise<Spool>
  /** Ends the open chunk. Resolves when all chunks are sealed, but for those that can't be sealed now. */
  end: () => Promise<void>
}

export type ChunkWriterOptions = {
  /** Where the next chunk goes. */
  target: () => WriteTarget
  onSealed: (chunk: Chunk, run: Run) => void
  onFailure: (error: unknown) => void
  onVolumeFailed?: ((volume: number) => void) | undefined
}

/** Whether a segment continues the chunk of a spool, and fits into it if it is as long as the last one. */
const fits = (spool: Spool, { start, run, isKept }: IncomingSegment): boolean => {
  const last = spool.segments.at(-1)
  if (spool.run !== run || spool.isKept !== isKept) return false
  if (last === undefined) return spool.start === start
  const isNext = Math.abs(start - last.finish) < chunkGapMs
  const hasSpace =
    last.finish - spool.start + (last.finish - last.start) <= maxChunkMs &&
    last.offset + 2 * last.bytes <= maxChunkBytes
  return isNext && hasSpace
}

/** Puts the segments of a stream into chunks of a minute, each of one run and without a gap. */
export const createChunkWriter = (options: ChunkWriterOptions): ChunkWriter => {
  const { target, onSealed, onFailure, onVolumeFailed } = options
  const failed = new WeakSet<Spool>()
  let spool: Spool | undefined
  let unsealed: Spool[] = []
  let liveOnly: Spool[] = []
  let sealing: Promise<void> = Promise.resolve()

  /** Whether the next chunk goes to another volume than this spool's. */
  const hasOtherVolume = ({ volume }: Spool): boolean => {
    try {
      return target().volume !== volume
    } catch {
      return false
    }
  }

  /** Wraps a spool, so that it is remembered as failed once a write to it fails. */
  const watchFailures = (opened: Spool): Spool => {
    const fail = (error: unknown): never => {
      failed.add(spool)
      onVolumeFailed?.(opened.volume)
      throw error
    }
    const spool: Spool = {
      ...opened,
      append: (bytes) => opened.append(bytes).catch(fail),
      commit: (times) => opened.commit(times).catch(fail),
    }
    return spool
  }

  const openNext = async (incoming: IncomingSegment): Promise<Spool> => {
    const next = target()
    return openSpool({ ...incoming, target: next }).then(watchFailures, (error: unknown) => {
      onVolumeFailed?.(next.volume)
      throw error
    })
  }

  /** Seals the finished spools. Those that can't be sealed are tried again with the next one. */
  const sealAll = async (): Promise<void> => {
    const due = unsealed
    unsealed = []
    for (const each of due) {
      try {
        onSealed(await each.seal(), each.run)
      } catch (error) {
        unsealed.push(each)
        onVolumeFailed?.(each.volume)
        if (!hasOtherVolume(each)) onFailure(error)
      }
    }
  }

  const discardOldLive = async ({ start, counts }: IncomingSegment): Promise<void> => {
    const keptMs = liveFileMs(counts.targetDuration)
    const isOld = ({ segments }: Spool) => Math.abs(start - finishOf(segments)) > keptMs
    const old = liveOnly.filter(isOld)
    liveOnly = liveOnly.filter((each) => !isOld(each))
    for (const each of old) await each.discard()
  }

  const endSpool = async (): Promise<void> => {
    const ended = spool
    spool = undefined
    if (ended === undefined) return
    if (ended.segments.length === 0) {
      try {
        await ended.discard()
      } catch (error) {
        if (!failed.has(ended)) throw error
      }
    } else if (ended.isKept) {
      unsealed.push(ended)
      sealing = sealing.then(sealAll)
    } else {
      await ended.close()
      liveOnly.push(ended)
    }
  }

  return {
    spoolFor: async (incoming) => {
      const mustChangeVolume = spool !== undefined && failed.has(spool) && hasOtherVolume(spool)
      if (spool !== undefined && fits(spool, incoming) && !mustChangeVolume) return spool
      await endSpool()
      await discardOldLive(incoming)
      spool = await openNext(incoming)
      return spool
    },
    end: async () => {
      await endSpool()
      await sealing
    },
  }
}
