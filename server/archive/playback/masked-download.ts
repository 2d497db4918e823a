import { availableParallelism } from 'node:os'
import { maskFilter, type Masks } from '../../media/masks.ts'
import { createSlots } from '../../media/slots.ts'
import { fullSizeOf, transcodedInit } from '../../media/transcode.ts'
import type { DownloadDrawing } from './download.ts'
import { drawnSegments } from './drawn-segments.ts'

/** Leaves a core for the rest of the server. */
const slots = createSlots({ queue: 'masked-downloads', size: Math.max(1, availableParallelism() - 1) })

/** Burns privacy masks into a download. Downloads take turns, segment by segment. */
export const maskDrawing = (
  masks: Masks,
  { caller, signal }: { caller: string; signal: AbortSignal },
): DownloadDrawing => {
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => slots({ callers: () => [caller], signal }, work)
  const failure = () => new Error('Privacy masks could not be burned into a download')
  return {
    initOf: async (init) => {
      const bytes = await inTurn(() => transcodedInit(init, signal, { size: fullSizeOf(init) }))
      signal.throwIfAborted()
      if (bytes === undefined) throw failure()
      return bytes
    },
    segments: (joined, { init }, withoutSound) =>
      drawnSegments(joined, {
        filterOf: () => maskFilter(masks),
        size: fullSizeOf(init),
        withoutSound,
        inTurn,
        failure,
        signal,
      }),
  }
}
