import { guarded } from '../../guarded.ts'
import type { Allocate } from '../../storage/chunk-storage.ts'

/** A larger buffer isn't kept. */
const mostBytes = 8 * 1024 * 1024
/** Of all buffers that wait for their next response. */
const keptBytes = 32 * 1024 * 1024
const leastStep = 16 * 1024

/** At most a quarter more than is asked for, so that few sizes are in use. */
const sizeFor = (bytes: number): number => {
  const step = Math.max(leastStep, 2 ** (Math.floor(Math.log2(bytes)) - 2))
  return Math.ceil(bytes / step) * step
}

/**
 * Buffers of responses, which are lent again. V8 collects garbage of the whole heap for each 64 MB of new ones, which
 * takes several times as long as to read and send them.
 */
export const createLentBuffers = () => {
  /** By size; the size that was given back last is the last one. */
  const free = new Map<number, Buffer[]>()
  let kept = 0

  const take = (size: number): Buffer => {
    const found = free.get(size)?.pop()
    if (found === undefined) return Buffer.allocUnsafeSlow(size)
    kept -= size
    return found
  }
  const dropOldest = (): void => {
    for (const [size, buffers] of free) {
      while (kept > keptBytes && buffers.pop() !== undefined) kept -= size
      if (buffers.length === 0) free.delete(size)
      if (kept <= keptBytes) return
    }
  }
  const keep = (buffer: Buffer): void => {
    const others = free.get(buffer.length) ?? []
    others.push(buffer)
    free.delete(buffer.length)
    free.set(buffer.length, others)
    kept += buffer.length
    dropOldest()
  }

  /**
   * `allocate`: for one read. `lend`: the buffer of that read, which has ended, is the response's until `whileOpen`
   * aborts; otherwise it is left to the garbage collector.
   */
  return (whileOpen: AbortSignal): { allocate: Allocate; lend: () => void } => {
    const taken = new Set<Buffer>()
    return {
      allocate: (bytes) => {
        if (bytes > mostBytes) return Buffer.allocUnsafeSlow(bytes)
        const buffer = take(sizeFor(bytes))
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
