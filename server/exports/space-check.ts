import type { Retention } from '../archive/retention/retention.ts'
import type { ServerSettings } from '../context.ts'
import { spaceOf } from '../storage/volume-files.ts'
import { ExportFailed } from './export-failed.ts'
import type { ExportStore, Item } from './export-store.ts'

/** How much of the disk exports leave free, for recordings. */
const reserveBytes = 1024 ** 3
const gigabyte = 1e9

/**
 * Rejects if so many bytes exceed the limit of exports, or the disk's free space. On the disk of the archive, which
 * recordings fill down to its reserve, the oldest ones are deleted first, except those of the export.
 */
export const createSpaceCheck =
  (
    folder: string,
    settings: Pick<ServerSettings, 'exportsMaxGb'>,
    exports: Pick<ExportStore, 'usedBytes'>,
    makeSpace: Retention['makeSpace'],
    readDisk: (folder: string) => Promise<{ freeBytes: number; device: number }> = spaceOf,
  ) =>
  async (items: readonly Item[], bytes: number, signal: AbortSignal): Promise<void> => {
    const { exportsMaxGb } = settings
    if (exportsMaxGb >= 0 && (await exports.usedBytes()) + bytes > exportsMaxGb * gigabyte)
      throw new ExportFailed('EXPORTS_FULL')
    const wanted = bytes + reserveBytes
    const { freeBytes, device } = await readDisk(folder)
    if (freeBytes >= wanted) return
    const keptOf = (uid: string) =>
      items.flatMap((item) => (item.uid === uid ? { from: item.start, to: item.finish } : []))
    await makeSpace({ device, bytes: wanted, keptOf, signal })
    if ((await readDisk(folder)).freeBytes < wanted) throw new ExportFailed('DISK_FULL')
  }
