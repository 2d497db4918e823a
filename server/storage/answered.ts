import { guarded } from '../guarded.ts'
import { StorageAway } from './chunk-storage.ts'

/** Longer than a busy disk takes to spin up and answer. */
const maxCallMs = 30_000

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
