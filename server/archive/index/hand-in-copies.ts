import { StorageAway } from '../../storage/chunk-storage.ts'
import { chunkFile } from '../../storage/folders.ts'
import type { Volumes } from '../../storage/volumes.ts'

/** The file of a chunk that was handed in, which stays on its disk for live until a moment (epoch milliseconds). */
export type Copy = { uid: string; start: number; volume: number; until: number }

type Options = {
  volumes: Pick<Volumes, 'storage' | 'isFull'>
  now: () => number
  warn: (detail: object, message: string) => void
}

export const createCopies = ({ volumes, now, warn }: Options) => {
  let copies: Copy[] = []
  return {
    add: (copy: Copy): void => void copies.push(copy),
    has: (uid: string, start: number): boolean => copies.some((each) => each.uid === uid && each.start === start),
    /** Deletes those whose time is over; all of them if the disks are full. */
    drop: async (signal: AbortSignal): Promise<void> => {
      const unneeded = copies.filter(({ until }) => until <= now() || volumes.isFull())
      copies = copies.filter((copy) => !unneeded.includes(copy))
      // A disk that hangs takes half a minute for each call.
      const hanging = new Set<number>()
      for (const copy of unneeded) {
        const { uid, start, volume } = copy
        const removeFile = () => volumes.storage(volume).remove(uid, [chunkFile(start)])
        if (!signal.aborted && !hanging.has(volume))
          await removeFile().catch((error: unknown) => {
            if (error instanceof StorageAway) hanging.add(volume)
            else warn({ err: error, uid }, 'a chunk that was handed in stays on the disk')
          })
        if (signal.aborted || hanging.has(volume)) copies.push(copy)
      }
    },
  }
}
