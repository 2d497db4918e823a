import { setTimeout as pause } from 'node:timers/promises'
import { minuteMs } from '../durations.ts'
import { guarded } from '../guarded.ts'
import type { ArchiveLocations } from './archive-locations.ts'
import { listBuckets, type BucketVolume } from './bucket-volumes.ts'
import type { ChunkStorage } from './chunk-storage.ts'
import { createFolderStorage } from './folder-storage.ts'
import { archiveFolder, folderIn } from './folders.ts'
import { NoVolume, type WriteTarget } from './write-target.ts'
import { chooseVolume } from './volume-choice.ts'
import { markerOf, readMarker, reserveOf, spaceOf, tryToWrite, type Space } from './volume-files.ts'
import { listVolumes, ownVolume, type KnownVolume } from './volume-list.ts'
import { createVolumeRows } from './volume-rows.ts'
import type { Store } from '../store/store.ts'

/**
 * `missing`: nothing of it can be read; `unwritable`: nothing can be recorded to it; `away`: a bucket that doesn't
 * answer, or refuses to.
 */
export type VolumeState = 'there' | 'unwritable' | 'missing' | 'away'

export type Volume = Pick<KnownVolume, 'id' | 'path' | 'isListed'> &
  Space & { state: VolumeState; /** Else it is a folder, usually on its own disk. */ isBucket: boolean }

export type Volumes = {
  all: () => readonly Volume[]
  /** Volumes whose files can be read. */
  there: () => readonly Volume[]
  /** The folders among those: what is recorded begins there. */
  folders: () => readonly Volume[]
  isBucket: (id: number) => boolean
  /** The bucket that chunks are handed in to. */
  bucket: () => number | undefined
  /** Whether a full disk gives its oldest chunks: with a bucket, only if the options allow it. */
  givesOldest: boolean
  /** Whether nothing is recorded until the bucket has taken some. */
  isFull: () => boolean
  /** The chunks of a volume. Throws `NoVolume`. */
  storage: (id: number) => ChunkStorage
  isMissing: (id: number) => boolean
  /** Checks whether a volume is mounted now, before a file counts as lost. */
  verify: (id: number) => Promise<boolean>
  /** The folder of a recording on a volume that is one. Throws `NoVolume`. */
  folder: (id: number, uid: string) => string
  /** Where the next chunk of a recording goes. Throws `NoVolume`. */
  targetFor: (uid: string) => WriteTarget
  /** A write failed: other volumes are preferred for a while. */
  failed: (id: number) => void
  /** Checks each volume and records which ones are missing. */
  refresh: () => Promise<void>
  /** Called when missing volumes are available again. */
  returnListeners: (() => void)[]
  stop: () => Promise<void>
}

type Options = Pick<ArchiveLocations, 'archiveDirs'> &
  Partial<ArchiveLocations> & {
    store: Store
    dataDir: string
    now: () => number
    warn: (detail: object, message: string) => void
  }

const everyMs = 15_000
/** A disk that answers later counts as missing, and a bucket as away. */
const maxMs = 10_000
const maxBucketMs = 3000
const avoidedMs = minuteMs

const nowhere: Space = { freeBytes: 0, totalBytes: 0, device: -1 }

type ReadSpace = (path: string) => Promise<Space>
type Checked = { state: VolumeState } & Space

const checkFolder = async (
  { id, key, path, isListed }: KnownVolume,
  isOnly: boolean,
  readSpace: ReadSpace,
): Promise<Checked> => {
  if (id !== ownVolume && (await readMarker(path)) !== key) return { ...nowhere, state: 'missing' }
  const space = await readSpace(path)
  if (!isListed || isOnly) return { ...space, state: 'there' }
  const isWritable = await tryToWrite(path).then(
    () => true,
    () => false,
  )
  return { ...space, state: isWritable ? 'there' : 'unwritable' }
}

const checkBucket = async ({ key, bucket }: BucketVolume): Promise<Checked> => {
  const found = await bucket.readMarker()
  return { ...nowhere, state: found === key ? 'there' : 'missing' }
}

/** The folders, usually each on its own disk, and the buckets that contain the chunks of an archive. */
export const openVolumes = async (options: Options, readSpace: ReadSpace = spaceOf): Promise<Volumes> => {
  const { store, dataDir, archiveDirs, archiveUrl, dropsSpool = false, now, warn } = options
  const rows = createVolumeRows(store)
  const disks = await listVolumes(rows, archiveFolder(dataDir), archiveDirs)
  const buckets = new Map((await listBuckets(rows, archiveUrl)).map((each) => [each.id, each]))
  const known: KnownVolume[] = [...disks, ...buckets.values()]
  const storages = new Map(
    known.map(({ id, path }) => [id, buckets.get(id)?.bucket ?? createFolderStorage(path)] as const),
  )
  const missing = new Map((await rows.all()).map(({ id, isMissing }) => [id, isMissing]))
  const checked = new Map<number, Checked>()
  const checking = new Map<number, Promise<Checked>>()
  const failedAt = new Map<number, number>()
  const chosen = new Map<string, number>()
  let oldest: ReadonlyMap<number, number> = new Map()
  let refreshing: Promise<void> = Promise.resolve()

  const givesOldest = archiveUrl === undefined || dropsSpool

  const stateOf = (id: number): VolumeState => checked.get(id)?.state ?? 'there'
  const find = (id: number): KnownVolume | undefined => known.find((each) => each.id === id)
  const isBucket = (id: number): boolean => buckets.has(id)
  const isMissing = (id: number): boolean => id !== ownVolume && (find(id) === undefined || stateOf(id) === 'missing')

  /** One check at a time: a hanging disk occupies a thread. */
  const check = (volume: KnownVolume): Promise<Checked> => {
    const bucket = buckets.get(volume.id)
    const lost: Checked = { ...nowhere, state: bucket === undefined ? 'missing' : 'away' }
    const asked =
      checking.get(volume.id) ??
      (bucket === undefined ? checkFolder(volume, known.length === 1, readSpace) : checkBucket(bucket))
        .catch(() => lost)
        .finally(() => checking.delete(volume.id))
    checking.set(volume.id, asked)
    return Promise.race([asked, pause(bucket === undefined ? maxMs : maxBucketMs, lost, { ref: false })])
  }

  const note = async (id: number): Promise<void> => {
    if (id === ownVolume || missing.get(id) === isMissing(id)) return
    await rows.setMissing(id, isMissing(id))
    missing.set(id, isMissing(id))
  }

  const refreshOnce = async (): Promise<void> => {
    const before = new Map(known.map(({ id }) => [id, stateOf(id)]))
    const found = await Promise.all(known.map(async (volume) => [volume, await check(volume)] as const))
    for (const [{ id, path }, seen] of found) {
      checked.set(id, seen)
      if (seen.state !== before.get(id)) warn({ path, state: seen.state }, 'a volume of the archive changed')
    }
    if (known.length > 1) oldest = await rows.oldest()
    for (const { id } of known) await note(id)
    const isBack = ({ id }: KnownVolume): boolean => before.get(id) === 'missing' && !isMissing(id)
    if (disks.some(isBack)) for (const listener of volumes.returnListeners) guarded('volumes: return', listener)()
  }

  const refresh = (): Promise<void> => {
    refreshing = refreshing
      .then(refreshOnce)
      .catch((error: unknown) => warn({ err: error }, 'the volumes of the archive were not checked'))
    return refreshing
  }

  const volumeOf = ({ id, path, isListed }: KnownVolume): Volume => ({
    id,
    path,
    isListed,
    isBucket: isBucket(id),
    ...(checked.get(id) ?? { ...nowhere, state: stateOf(id) }),
  })

  const isGood = ({ id, state }: Volume): boolean => {
    const failed = failedAt.get(id)
    return state === 'there' && (failed === undefined || Math.abs(now() - failed) >= avoidedMs)
  }

  /** A disk that is about to be full takes no more where nothing is removed from it before a bucket has it. */
  const isFull = (volume: Space): boolean =>
    !givesOldest && volume.totalBytes > 0 && volume.freeBytes < reserveOf(volume)

  const choose = (uid: string): number | undefined => {
    const listed = disks.flatMap((each) => (each.isListed && !isMissing(each.id) ? volumeOf(each) : []))
    const candidates = listed.filter((volume) => !isFull(volume))
    if (candidates.length < 2) return candidates[0]?.id
    const good = candidates.filter(isGood)
    const others = [...chosen].filter(([of]) => of !== uid)
    const weighed = (good.length > 0 ? good : candidates).map((volume) => ({
      ...volume,
      streams: others.filter(([, id]) => id === volume.id).length,
      oldest: oldest.get(volume.id),
    }))
    return chooseVolume(weighed, chosen.get(uid))
  }

  const folder = (id: number, uid: string): string => {
    const volume = disks.find((each) => each.id === id)
    if (volume === undefined) throw new NoVolume(`There is no volume ${id}`)
    return folderIn(volume.path, uid)
  }

  const timer = known.length > 1 ? setInterval(guarded('volumes: refresh', refresh), everyMs) : undefined
  const volumes: Volumes = {
    all: () => known.map(volumeOf),
    there: () => known.filter(({ id }) => !isMissing(id)).map(volumeOf),
    folders: () => disks.filter(({ id }) => !isMissing(id)).map(volumeOf),
    givesOldest,
    isFull: () => !givesOldest && disks.every((each) => !each.isListed || isMissing(each.id) || isFull(volumeOf(each))),
    isBucket,
    bucket: () => [...buckets.values()].find(({ isListed }) => isListed)?.id,
    storage: (id) => {
      const storage = storages.get(id)
      if (storage === undefined) throw new NoVolume(`There is no volume ${id}`)
      return storage
    },
    isMissing,
    verify: async (id) => {
      const volume = find(id)
      if (volume === undefined || id === ownVolume) return volume !== undefined
      const bucket = buckets.get(id)
      if (bucket !== undefined) return (await checkBucket(bucket)).state === 'there'
      return (await readMarker(volume.path).catch(() => undefined)) === volume.key
    },
    folder,
    targetFor: (uid) => {
      const id = choose(uid)
      const volume = id === undefined ? undefined : find(id)
      if (volume === undefined) throw new NoVolume('No volume of the archive takes recordings')
      chosen.set(uid, volume.id)
      return {
        volume: volume.id,
        folder: folder(volume.id, uid),
        marker: volume.id === ownVolume ? undefined : markerOf(volume.path),
      }
    },
    failed: (id) => {
      failedAt.set(id, now())
      if (known.length > 1) void refresh()
    },
    refresh,
    returnListeners: [],
    stop: async () => {
      clearInterval(timer)
      for (const { bucket } of buckets.values()) bucket.close()
      await refreshing
    },
  }
  await refresh()
  return volumes
}
