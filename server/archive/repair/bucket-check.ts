import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod/mini'
import { dayMs, hourMs } from '../../durations.ts'
import { guarded } from '../../guarded.ts'
import { nameOfBucket } from '../../storage/bucket-url.ts'
import { StorageAway, type ChunkStorage, type StoredObject } from '../../storage/chunk-storage.ts'
import { chunkFile } from '../../storage/folders.ts'
import type { Volumes } from '../../storage/volumes.ts'
import { StoreAway } from '../../store/connection.ts'
import { createRepeated } from '../../store/serial-queue.ts'
import type { Store } from '../../store/store.ts'
import type { SegmentIndex } from '../index/segment-index.ts'

const everyMs = 7 * dayMs
/** How often it is asked whether a bucket is due. */
const lookEveryMs = hourMs
const maxNamed = 5

const ListedRow = z.object({ listedAt: z.number() })

type Options = {
  store: Store
  index: SegmentIndex
  volumes: Pick<Volumes, 'all' | 'storage'>
  isLeader: () => boolean
  now: () => number
  info: (detail: object, message: string) => void
  warn: (detail: object, message: string) => void
  pageSize?: number
  /** The pause after each page, so that a large bucket is listed slowly. */
  pauseMs?: number
}

type Page = NonNullable<ChunkStorage['page']>

const nameOf = ({ uid, start }: StoredObject): string => `${uid}/${chunkFile(start)}`

/**
 * Lists the buckets once a week, on the leader, and logs objects without a row. It deletes none: after an older
 * database was restored they are recordings, which `repair` indexes again.
 */
export const createBucketCheck = (options: Options) => {
  const { store, index, volumes, isLeader, now, info, warn, pageSize = 1000, pauseMs = 1000 } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const isInCharge = () => !signal.aborted && isLeader()

  /** Objects that have no row, and are not about to be removed. */
  const withoutRow = async (volume: number, objects: readonly StoredObject[]): Promise<StoredObject[]> => {
    const missing: StoredObject[] = []
    const hourOf = ({ uid, start }: StoredObject) => `${uid} ${Math.floor(start / hourMs)}`
    for (const some of Map.groupBy(objects, hourOf).values()) {
      const starts = some.map(({ start }) => start)
      const recording = (await index.recording(some[0]?.uid ?? ''))?.recording
      const rows =
        recording === undefined ? [] : await index.chunksIn(recording, Math.min(...starts), Math.max(...starts) + 1)
      const known = new Set(rows.map(({ start }) => start))
      missing.push(...some.filter(({ start }) => !known.has(start)))
    }
    if (missing.length === 0) return missing
    // In this order, as a purged recording may become garbage meanwhile.
    const purged = new Set((await index.purged()).map(({ uid }) => uid))
    const found: StoredObject[] = []
    for (const each of missing) if (!purged.has(each.uid) && !(await index.garbage.has(volume, each))) found.push(each)
    return found
  }

  /** Those that are still there: retention may have removed others since the page was listed. */
  const stillThere = async (page: Page, after: string | undefined, found: readonly StoredObject[]) => {
    if (found.length === 0) return found
    const { objects } = await page(after, pageSize, signal)
    const names = new Set(objects.map(nameOf))
    return found.filter((each) => names.has(nameOf(each)))
  }

  /** False if it was interrupted, as when another node leads. */
  const check = async (volume: number, path: string, page: Page): Promise<boolean> => {
    const sum = { objects: 0, bytes: 0, names: [] as string[] }
    let after: string | undefined
    for (;;) {
      if (!isInCharge()) return false
      const { objects, next } = await page(after, pageSize, signal)
      for (const each of await stillThere(page, after, await withoutRow(volume, objects))) {
        sum.objects += 1
        sum.bytes += each.bytes
        if (sum.names.length < maxNamed) sum.names.push(nameOf(each))
      }
      if (next === undefined) break
      after = next
      await pause(pauseMs, undefined, { signal })
    }
    const name = nameOfBucket(path)
    if (sum.objects > 0) warn({ bucket: name, ...sum }, 'objects of the bucket have no row: `repair` indexes them')
    else info({ bucket: name }, 'every object of the bucket has its row')
    return true
  }

  const isDue = async (volume: number): Promise<boolean> => {
    const row = await store.get(ListedRow, 'SELECT listed_at AS listedAt FROM volumes WHERE id = ?', volume)
    return row !== undefined && row.listedAt <= now() - everyMs
  }

  const lookOnce = async (): Promise<void> => {
    for (const { id, path } of volumes.all()) {
      const { page } = volumes.storage(id)
      if (page === undefined || !isInCharge() || !(await isDue(id)) || !(await check(id, path, page))) continue
      await store.run('UPDATE volumes SET listed_at = ? WHERE id = ?', now(), id)
    }
  }
  const look = createRepeated(() =>
    lookOnce().catch((error: unknown) => {
      // It is tried again in an hour.
      if (signal.aborted || error instanceof StorageAway || error instanceof StoreAway) return
      warn({ err: error }, 'the bucket was not compared with the index')
    }),
  )

  const timer = setInterval(guarded('bucket: check', look), lookEveryMs)
  timer.unref()
  return {
    /** Lists the buckets that are due. */
    look,
    stop: async (): Promise<void> => {
      clearInterval(timer)
      stopping.abort()
      await look()
    },
  }
}
