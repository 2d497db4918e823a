import { guarded } from '../../guarded.ts'
import type { Allocate } from '../../storage/chunk-storage.ts'

const leastBytes = 64 * 1024
/** A larger buffer isn't kept. */
const mostBytes = 8 * 1024 * 1024
/** Of all buffers that wait for their next response. */
const keptBytes = 32 * 1024 * 1024

/**
 * Buffers of responses, which are lent again. V8 collects garbage of the whole heap for each 64 MB of new ones, which
 * takes several times as long as to read and send them.
 */
export const createLentBuffers = () => {
  /** By size, a power of two. */
  const free = new Map<number, Buffer[]>()
  let kept = 0

  const take = (size: number): Buffer => {
    const found = free.get(size)?.pop()
    if (found === undefined) return Buffer.allocUnsafeSlow(size)
    kept -= size
    return found
  }
  const keep = (buffer: Buffer): void => {
    if (kept + buffer.length > keptBytes) return
    kept += buffer.length
    const others = free.get(buffer.length)
    if (others === undefined) free.set(buffer.length, [buffer])
    else others.push(buffer)
  }

  /**
   * `allocate`: for one read. `lend`: the buffer of that read, which has ended, is the response's until `whileOpen`
   * aborts; otherwise it is left to the garbage collector.
   */
  return (whileOpen: AbortSignal): { allocate: Allocate; lend: () => void } => {
    const taken = new Set<Buffer>()
    return {
      allocate: (bytes) => {
        const size = Math.max(leastBytes, 2 ** Math.ceil(Math.log2(bytes)))
        if (size > mostBytes) return Buffer.allocUnsafeSlow(bytes)
        const buffer = take(size)
        taken.add(buffer)
        return buffer.subarray(0, bytes)
      },
      lend: () => {
        whileOpen.addEventListener(
          'abort',
          guarded('lent buffer: back', () => taken.forEach(keep)),
        )
      },
    }
  }
}
