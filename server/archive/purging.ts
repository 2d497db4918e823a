import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { hoursOnDisk } from './adopt.ts'
import { archiveFolder, streamFolder, syncFolder } from './folders.ts'
import type { SegmentIndex } from './segment-index.ts'

const rowsAtOnce = 400

export const deletePurged = async (index: SegmentIndex, dataDir: string, signal: AbortSignal): Promise<void> => {
  for (const purged of await index.purged()) {
    const { uid } = purged
    for (const hour of await hoursOnDisk({ dataDir, uid })) {
      if (signal.aborted) return
      await rm(join(streamFolder(dataDir, uid), hour), { recursive: true, force: true })
    }
    await rm(streamFolder(dataDir, uid), { recursive: true, force: true })
    // Rows go last: mending would restore a folder without them.
    await syncFolder(archiveFolder(dataDir))
    while (!signal.aborted && (await index.purgeSome(purged, rowsAtOnce))) await turn()
  }
}
