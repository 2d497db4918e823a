import * as z from 'zod/mini'
import type { StoredChunk } from '../archive/index/chunk-rows.ts'
import { removeGarbage } from '../archive/index/garbage.ts'
import { minMoment } from '../archive/index/recordings.ts'
import { createSegmentIndex } from '../archive/index/segment-index.ts'
import type { StorageOptions } from '../storage/storage-options.ts'
import { nameOfBucket } from '../storage/bucket-url.ts'
import { chunkFile } from '../storage/folders.ts'
import { reserveOf } from '../storage/volume-files.ts'
import { openVolumes, type Volume, type Volumes } from '../storage/volumes.ts'
import type { Store } from '../store/store.ts'
import { UsageError } from '../usage-error.ts'
import { createChecksum } from './checksum.ts'

export type ArchiveMove = Pick<StorageOptions, 'archiveDirs'> & {
  store: Store
  dataDir: string
  /** The URL of the bucket to move to; undefined to move to the folders. */
  to: string | undefined
  signal: AbortSignal
  report: (line: string) => void
  onProgress: (progress: { done: number; of: number }) => void
}

/**
 * `checksum`: of all moved chunks; `failed`: the chunks that could not be moved, with the reasons; `missing`: how many
 * chunks fewer the target has than the index says.
 */
export type MovedArchive = { chunks: number; bytes: number; checksum: string; failed: string[]; missing: number }

const recordingsAtOnce = 4
const chunksPerPage = 200

const Sums = z.object({ count: z.coerce.number(), bytes: z.nullable(z.coerce.number()) })

/** The number of chunks that the index has on these volumes, and their bytes. */
const sumsOf = async (store: Store, volumes: readonly Volume[]): Promise<{ count: number; bytes: number }> => {
  const total = { count: 0, bytes: 0 }
  for (const { id } of volumes) {
    const sql = `SELECT count(*) AS count, sum(chunks.bytes) AS bytes FROM chunks
      JOIN recordings ON recordings.id = recording WHERE volume = ? AND purged = 0`
    const sums = await store.get(Sums, sql, id)
    total.count += sums?.count ?? 0
    total.bytes += sums?.bytes ?? 0
  }
  return total
}

const requireAvailable = (volumes: Volumes): void => {
  const away = volumes.all().find(({ state }) => state === 'missing' || state === 'away')
  if (away !== undefined) throw new UsageError(`${nameOfBucket(away.path)} can't be read: make it available first`)
}

const requireSpace = (volumes: Volumes, bytes: number): void => {
  const disks = new Map(volumes.folders().flatMap((each) => (each.isListed ? [[each.device, each] as const] : [])))
  const free = [...disks.values()].reduce((sum, disk) => sum + Math.max(0, disk.freeBytes - reserveOf(disk)), 0)
  if (free < bytes)
    throw new UsageError(`The folders have ${free} bytes of free space, and the recordings take ${bytes}`)
}

const whyOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Moves every chunk to a bucket, or from buckets to the folders, while the server is stopped. A chunk is read again
 * from its target and compared before its row is changed, and only then is the old copy deleted. An interrupted move
 * continues where it stopped. Undefined if aborted.
 */
export const moveArchive = async (options: ArchiveMove): Promise<MovedArchive | undefined> => {
  const { store, dataDir, archiveDirs, to, signal, report, onProgress } = options
  const volumes = await openVolumes({ store, dataDir, archiveDirs, archiveUrl: to, warn: () => undefined })
  try {
    const index = createSegmentIndex(store, volumes)
    requireAvailable(volumes)
    if (await index.old.refresh())
      throw new UsageError('Recordings of an older version are not converted: start the server')
    const bucket = volumes.bucket()
    const isSource = ({ id, isBucket }: Volume): boolean => (to === undefined ? isBucket : id !== bucket)
    const sources = volumes.all().filter(isSource)
    await removeGarbage(index, volumes, signal)

    const moved: MovedArchive = { chunks: 0, bytes: 0, checksum: '', failed: [], missing: 0 }
    const checksum = createChecksum()
    const total = await sumsOf(store, sources)
    if (to === undefined) requireSpace(volumes, total.bytes)

    const moveChunk = async (chunk: StoredChunk): Promise<void> => {
      const { recording, uid, start, volume, bytes } = chunk
      const target = to === undefined ? volumes.targetFor(uid).volume : (bucket ?? volume)
      const [from, into] = [volumes.storage(volume), volumes.storage(target)]
      const [file, range] = [chunkFile(start), { offset: 0, bytes }]
      const content = await from.read(uid, file, range, { signal })
      await into.put(uid, file, content, signal)
      if (!content.equals(await into.read(uid, file, range, { signal })))
        throw new Error('The copy differs from the original')
      if (!(await index.moveChunk(recording, chunk, target))) return
      moved.chunks += 1
      moved.bytes += bytes
      checksum.add(content)
      onProgress({ done: moved.chunks + moved.failed.length, of: total.count })
      if (volumes.isBucket(volume)) return
      await from.remove(uid, [file]).catch((error: unknown) => {
        report(`${uid}/${file} was moved, but its old copy stays (${whyOf(error)})`)
      })
    }

    const moveRecording = async (uid: string): Promise<void> => {
      const recording = (await index.recording(uid))?.recording
      if (recording === undefined) return
      for (const { id } of sources) {
        let next = minMoment
        for (;;) {
          const page = await index.chunksOn(id, recording, next, chunksPerPage)
          for (const chunk of page) {
            if (signal.aborted) return
            await moveChunk(chunk).catch((error: unknown) => {
              if (signal.aborted) return
              moved.failed.push(`${uid}/${chunkFile(chunk.start)} (${whyOf(error)})`)
            })
            next = chunk.start + 1
          }
          if (page.length === 0) break
          await removeGarbage(index, volumes, signal)
        }
      }
    }

    const waiting = await index.uids()
    const work = async (): Promise<void> => {
      for (let uid = waiting.shift(); uid !== undefined && !signal.aborted; uid = waiting.shift())
        await moveRecording(uid)
    }
    await Promise.all(Array.from({ length: recordingsAtOnce }, work))
    if (signal.aborted) return undefined

    report('Counting the chunks')
    const targets = volumes.all().filter((each) => !isSource(each))
    const rows = await sumsOf(store, targets)
    const files = await countFiles(volumes, targets, await index.uids())
    return { ...moved, checksum: checksum.text(), missing: Math.max(0, rows.count - files) }
  } finally {
    await volumes.stop()
  }
}

const countFiles = async (volumes: Volumes, targets: readonly Volume[], uids: readonly string[]): Promise<number> => {
  let count = 0
  for (const { id } of targets) {
    const storage = volumes.storage(id)
    for (const uid of uids)
      for (const hour of await storage.hours(uid))
        count += (await storage.names(uid, hour)).filter((name) => name.endsWith('.mp4')).length
  }
  return count
}
