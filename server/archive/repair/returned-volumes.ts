import { createRepeated } from '../../store/serial-queue.ts'
import { untilThere } from '../../store/while-away.ts'
import type { SegmentIndex } from '../index/segment-index.ts'

type Options = {
  index: Pick<SegmentIndex, 'uids'>
  /** Resolves when the repair of the start has ended, with the signal that ends repairs; undefined if none began. */
  untilRepaired: () => Promise<AbortSignal | undefined>
  /** Seals and indexes what a crash left of a recording, while recording goes on. */
  recover: (uid: string) => Promise<void>
  repair: (signal: AbortSignal) => Promise<void>
  onFailure: (error: unknown) => void
}

/**
 * Indexes files without rows on volumes that came back, while recording goes on. However often a disk goes and comes
 * back meanwhile, one further repair follows the running one.
 */
export const createReturnedVolumes = ({ index, untilRepaired, recover, repair, onFailure }: Options) => {
  let looking: Promise<void> = Promise.resolve()

  const repairAll = async (signal: AbortSignal): Promise<void> => {
    for (const uid of await index.uids()) {
      if (signal.aborted) return
      await recover(uid)
    }
    await repair(signal)
  }
  const repairOnceThere = async (): Promise<void> => {
    const signal = await untilRepaired()
    if (signal !== undefined) await untilThere(() => repairAll(signal), signal)
  }
  const repairInTurn = createRepeated(() => repairOnceThere().catch(onFailure))

  return {
    /** Called when a volume has come back. */
    look: (): void => {
      looking = repairInTurn()
    },
    /** Resolves when all volumes that have come back by now are repaired. */
    settled: (): Promise<void> => looking,
  }
}
