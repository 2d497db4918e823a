import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { hoursOnDisk } from './adopt.ts'
import { archiveFolder, streamFolder, syncFolder } from './files.ts'
import type { SegmentIndex } from './segment-index.ts'

/** In one turn of the event loop: some milliseconds. */
const rowsAtOnce = 400

/**
 * Removes what is left of the condemned recordings: hour by hour the files, then the rows in batches, between which
 * others have their turn.
 */
export const purgeCondemned = async (index: SegmentIndex, dataDir: string, signal: AbortSignal): Promise<void> => {
  for (const condemned of index.condemned()) {
    const { uid } = condemned
    for (const hour of await hoursOnDisk({ dataDir, uid })) {
      if (signal.aborted) return
      await rm(join(streamFolder(dataDir, uid), hour), { recursive: true, force: true })
    }
    await rm(streamFolder(dataDir, uid), { recursive: true, force: true })
    // The rows go last: a folder without them would be taken for one to give back.
    await syncFolder(archiveFolder(dataDir))
    while (!signal.aborted && index.purgeSome(condemned, rowsAtOnce)) await turn()
  }
}
