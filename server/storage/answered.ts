import { guarded } from '../guarded.ts'
import { createSlots } from '../media/slots.ts'
import { StorageAway } from './chunk-storage.ts'

/** Longer than a busy disk takes to spin up and answer. */
const maxCallMs = 30_000
/** Each call to a disk that hangs holds a thread, of which all disks have a few together (server/main.ts). */
const callsAtOnce = 3

/** A call to a disk wasn't answered; a file system of the network may hang. A retry may succeed. */
class DiskHangs extends StorageAway {
  readonly code = 'EIO'
  readonly syscall: string
  constructor(syscall: string) {
    super(`EIO: the disk does not answer, ${syscall}`)
    this.syscall = syscall
  }
}

/** Rejects if a disk doesn't answer, so that nothing else waits for it. The call itself can't be ended. */
export const answered = <T>(syscall: string, call: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    guarded('disk: answer', () => reject(new DiskHangs(syscall))),
    maxCallMs,
  ).unref()
  return Promise.race([call, promise]).finally(() => clearTimeout(timer))
}

/**
 * Calls one disk, a few times at once; other calls wait. Rejects as `answered` does, also if the turn doesn't come.
 * `onLate`: called with a result that nobody waits for any more. `isDue`: made however late its turn comes.
 */
export type Disk = <T>(
  syscall: string,
  start: () => Promise<T>,
  more?: { onLate?: (result: T) => void; isDue?: boolean },
) => Promise<T>

export const createDisk = (): Disk => {
  const slots = createSlots({ size: callsAtOnce })
  return async (syscall, start, { onLate, isDue = false } = {}) => {
    const late = new AbortController()
    const call = slots({ callers: () => [''], signal: isDue ? undefined : late.signal }, async () => {
      const result = await start()
      if (late.signal.aborted) onLate?.(result)
      return result
    })
    try {
      return await answered(syscall, call)
    } catch (error) {
      late.abort()
      throw error
    }
  }
}
