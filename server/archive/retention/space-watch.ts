import { guarded } from '../../guarded.ts'
import { reserveOf, type Space } from '../../storage/volume-files.ts'
import { StoreAway } from '../../store/connection.ts'
import type { Volume } from '../../storage/volumes.ts'

const everyMs = 10_000
/**
 * Of what is stored on a disk, what may be deleted between two sweeps, also for other files. Where more is short, it is
 * a small disk that recordings fill before they are sealed: whose they are shows only then, and others would lose their
 * archive for them.
 */
export const maxShare = 0.25

type Options = {
  volumes: () => readonly Volume[]
  readDisk: (folder: string) => Promise<Pick<Space, 'freeBytes' | 'totalBytes'>>
  isRunning: () => boolean
  /** The bytes of recordings on a volume. */
  storedOn: (volume: Volume) => Promise<number>
  free: (volume: Volume) => Promise<void>
  onFailure: (error: unknown) => void
}

/**
 * Looks at the free space of the volumes alone, far more often than retention sweeps: a site that records much fills
 * the reserve between two sweeps. Frees space where less than half of the reserve is left, so that a sweep has the time
 * to delete first what no stream may keep.
 */
export const createSpaceWatch = ({ volumes, readDisk, isRunning, storedOn, free, onFailure }: Options) => {
  /** Those that haven't answered yet: each call to a disk that hangs occupies a thread. */
  const asked = new Set<number>()

  const lookOn = async (volume: Volume): Promise<void> => {
    // The sweep reports disks that can't be read.
    const disk = await readDisk(volume.path).catch(() => undefined)
    if (disk === undefined || !isRunning() || disk.freeBytes >= reserveOf(disk) / 2) return
    if (reserveOf(disk) - disk.freeBytes <= (await storedOn(volume)) * maxShare) await free(volume)
  }
  const look = (): void => {
    for (const volume of volumes()) {
      if (asked.has(volume.id)) continue
      asked.add(volume.id)
      guarded('retention: space', async () => {
        try {
          await lookOn(volume)
        } catch (error) {
          // The sweep reports that, too.
          if (!(error instanceof StoreAway)) onFailure(error)
        } finally {
          asked.delete(volume.id)
        }
      })()
    }
  }
  const timer = setInterval(guarded('retention: look', look), everyMs)
  return { look, stop: () => clearInterval(timer) }
}
