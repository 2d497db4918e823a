import { setTimeout as pause } from 'node:timers/promises'
import { minuteMs } from '../durations.ts'
import { guarded } from '../guarded.ts'
import { monotonicNow } from '../monotonic.ts'
import type { StorageOptions } from './storage-options.ts'
import { openBuckets } from './bucket-volumes.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { createFolderStorage } from './folder-storage.ts'
import { archiveFolder, folderIn } from './folders.ts'
import { createNodeVolumes } from './node-volumes.ts'
import { openOwnFolder } from './own-folder.ts'
import { NoVolume } from './write-target.ts'
import {
  checkBucket,
  checkFolder,
  unknownSpace,
  type Checked,
  type ReadSpace,
  type VolumeState,
} from './volume-checks.ts'
import { chooseVolume, hasSpace } from './volume-choice.ts'
import { markerOf, readMarker, reserveOf, spaceOf, type Space } from './volume-files.ts'
import { listVolumes, ownVolume, type KnownVolume } from './volume-list.ts'
import { createVolumeRows } from './volume-rows.ts'
import type { Volume, Volumes } from './volumes-port.ts'
import { createRepeated } from '../store/serial-queue.ts'
import type { Store } from '../store/store.ts'

export type { Volume, Volumes }

type Options = Pick<StorageOptions, 'archiveDirs'> &
  Partial<StorageOptions> & {
    store: Store
    dataDir: string
    cluster?: Pick<Cluster, 'isShared' | 'nodeId' | 'isAvailable' | 'isLeader'>
    warn: (detail: object, message: string) => void
  }

const checkEveryMs = 15_000
/** A disk that answers later counts as missing, and a bucket as away. */
const maxDiskMs = 10_000
const maxBucketMs = 3000
/** A volume is avoided for this long after a failed write. */
const avoidedMs = minuteMs

/** Opens the volumes of an archive: folders, each usually on a disk of its own, and buckets. */
export const openVolumes = async (options: Options, readSpace: ReadSpace = spaceOf): Promise<Volumes> => {
  const { store, dataDir, archiveDirs, archiveUrl, dropsOldest = false, warn } = options
  const rows = createVolumeRows(store)
  const cluster = options.cluster?.isShared === true ? options.cluster : undefined
  const nodeVolumes = cluster && createNodeVolumes(rows, cluster)
  const folderVolumes = await listVolumes(rows, archiveFolder(dataDir), archiveDirs, cluster)
  const ownPath = folderVolumes.find(({ id }) => id === ownVolume)?.path
  const own = ownPath === undefined ? undefined : await openOwnFolder(rows, ownPath)
  const opened = await openBuckets(rows, archiveUrl)
  const buckets = new Map(opened.map((each) => [each.id, each]))
  const known: KnownVolume[] = [...folderVolumes, ...buckets.values()]
  const storages = new Map(
    known.map(({ id, path }) => [id, buckets.get(id)?.bucket ?? createFolderStorage(path)] as const),
  )
  const savedAsMissing = new Map((await rows.all()).map(({ id, isMissing }) => [id, isMissing]))
  const checked = new Map<number, Checked>()
  const checking = new Map<number, Promise<Checked>>()
  /** Volumes that came back since a check last got to its end, which it doesn't while the database is away. */
  const returned = new Set<number>()
  const failedAt = new Map<number, number>()
  /** The volume of the last chunk of each recording. */
  const lastVolumes = new Map<string, number>()
  /** Of full volumes. */
  let nextDeleted: ReadonlyMap<number, number | undefined> = new Map()
  let nextDeletedOn = async (_id: number): Promise<number | undefined> => undefined
  let refreshing: Promise<void> = Promise.resolve()
  const deletesOldest = archiveUrl === undefined || dropsOldest
  const stateOf = (id: number): VolumeState => checked.get(id)?.state ?? 'there'
  const find = (id: number): KnownVolume | undefined => known.find((each) => each.id === id)
  const isBucket = (id: number): boolean => buckets.has(id)
  const isElsewhere = (id: number): boolean => nodeVolumes !== undefined && find(id) === undefined
  const isMissing = (id: number): boolean =>
    isElsewhere(id)
      ? nodeVolumes?.isMissing(id) === true
      : id !== ownVolume && (find(id) === undefined || stateOf(id) === 'missing')

  /** One check of a volume at a time, as a disk that hangs occupies a thread. */
  const check = (volume: KnownVolume): Promise<Checked> => {
    const bucket = buckets.get(volume.id)
    const unreachable: Checked = { ...unknownSpace, state: bucket === undefined ? 'missing' : 'away' }
    const result =
      checking.get(volume.id) ??
      (bucket === undefined ? checkFolder(volume, known.length === 1, readSpace) : checkBucket(bucket))
        .catch(() => unreachable)
        .finally(() => checking.delete(volume.id))
    checking.set(volume.id, result)
    return Promise.race([result, pause(bucket === undefined ? maxDiskMs : maxBucketMs, unreachable, { ref: false })])
  }

  const saveMissing = async (id: number): Promise<void> => {
    if ((id === ownVolume && savedAsMissing.get(id) !== true) || savedAsMissing.get(id) === isMissing(id)) return
    await rows.setMissing(id, isMissing(id))
    savedAsMissing.set(id, isMissing(id))
  }

  const refreshOnce = async (): Promise<void> => {
    const results = await Promise.all(known.map(async (volume) => [volume, await check(volume)] as const))
    for (const [{ id, path }, result] of results) {
      const before = stateOf(id)
      checked.set(id, result)
      if (result.state !== before) warn({ path, state: result.state }, 'a volume of the archive changed')
      if (result.state !== before && before === 'missing') returned.add(id)
    }
    if ((await own?.hasReturned()) === true) {
      warn({ path: ownPath }, 'the disk of the archive is mounted again')
      returned.add(ownVolume)
    }
    const listed = recordable()
    const full = listed.length > 1 ? listed.filter((volume) => !hasSpace(volume)) : []
    nextDeleted = new Map(await Promise.all(full.map(async ({ id }) => [id, await nextDeletedOn(id)] as const)))
    const ofNodes = await nodeVolumes?.refresh(folderVolumes.filter(({ id }) => !isMissing(id)))
    for (const row of ofNodes?.all ?? []) savedAsMissing.set(row.id, row.isMissing)
    for (const id of ofNodes?.forgotten ?? []) returned.add(id)
    for (const { id } of known) await saveMissing(id)
    if (folderVolumes.some(({ id }) => returned.has(id) && !isMissing(id)))
      for (const listener of volumes.returnListeners) guarded('volumes: return', listener)()
    returned.clear()
  }

  const refreshInTurn = createRepeated(() =>
    refreshOnce().catch((error: unknown) => warn({ err: error }, 'the volumes of the archive were not checked')),
  )
  const refresh = (): Promise<void> => (refreshing = refreshInTurn())

  const volumeOf = ({ id, path, isListed }: KnownVolume): Volume => ({
    id,
    path,
    isListed,
    isBucket: isBucket(id),
    ...(checked.get(id) ?? { ...unknownSpace, state: stateOf(id) }),
  })

  const recordable = (): Volume[] =>
    folderVolumes.flatMap((each) => (each.isListed && !isMissing(each.id) ? volumeOf(each) : []))

  const isPreferred = ({ id, state }: Volume): boolean => {
    const failed = failedAt.get(id)
    return state === 'there' && (failed === undefined || monotonicNow() - failed >= avoidedMs)
  }

  /** If chunks that the bucket doesn't have yet are never deleted, a disk below its reserve takes no new ones. */
  const isFull = (volume: Space): boolean =>
    !deletesOldest && volume.totalBytes > 0 && volume.freeBytes < reserveOf(volume)

  const choose = (uid: string): number | undefined => {
    const candidates = recordable().filter((volume) => !isFull(volume))
    if (candidates.length < 2) return candidates[0]?.id
    const preferred = candidates.filter(isPreferred)
    const others = [...lastVolumes].filter(([recording]) => recording !== uid)
    const described = (preferred.length > 0 ? preferred : candidates).map((volume) => ({
      ...volume,
      streams: others.filter(([, id]) => id === volume.id).length,
      nextDeleted: nextDeleted.get(volume.id),
    }))
    return chooseVolume(described, lastVolumes.get(uid))
  }

  const folder = (id: number, uid: string): string => {
    const volume = folderVolumes.find((each) => each.id === id)
    if (volume === undefined) throw new NoVolume(`There is no volume ${id}`)
    return folderIn(volume.path, uid)
  }

  const isUnmounted = own?.unmountedSince() !== undefined
  if (isUnmounted) warn({ path: ownPath }, 'the archive is empty, and its index is not: is its disk mounted?')
  const timer =
    known.length > 1 || isUnmounted ? setInterval(guarded('volumes: refresh', refresh), checkEveryMs) : undefined
  const volumes: Volumes = {
    all: () => known.map(volumeOf),
    available: () => known.filter(({ id }) => !isMissing(id)).map(volumeOf),
    folders: () => folderVolumes.filter(({ id }) => !isMissing(id)).map(volumeOf),
    deletesOldest,
    isFull: () => !deletesOldest && recordable().every(isFull),
    isBucket,
    elsewhere: () => nodeVolumes?.others() ?? [],
    leavesGarbage: (id) => isBucket(id) || isElsewhere(id),
    collectsGarbage: (id) =>
      isBucket(id) ? cluster?.isLeader() !== false : cluster !== undefined && !isElsewhere(id) && !isMissing(id),
    setNodeReader: (reader) => nodeVolumes?.setReader(reader),
    setNextDeleted: (given) => {
      nextDeletedOn = given
    },
    bucket: () => [...buckets.values()].find(({ isListed }) => isListed)?.id,
    storage: (id) => {
      const storage = storages.get(id) ?? nodeVolumes?.storageOf(id)
      if (storage === undefined) throw new NoVolume(`There is no volume ${id}`)
      return storage
    },
    isMissing,
    unmountedSince: (id) => (id === ownVolume ? own?.unmountedSince() : undefined),
    verify: async (id) => {
      const volume = find(id)
      if (volume === undefined) return false
      if (id === ownVolume) return own?.isMounted() ?? true
      const bucket = buckets.get(id)
      if (bucket !== undefined) return (await checkBucket(bucket)).state === 'there'
      return (await readMarker(volume.path).catch(() => undefined)) === volume.key
    },
    folder,
    targetFor: (uid) => {
      const id = choose(uid)
      const volume = id === undefined ? undefined : find(id)
      if (volume === undefined) throw new NoVolume('No volume of the archive takes recordings')
      lastVolumes.set(uid, volume.id)
      return {
        volume: volume.id,
        folder: folder(volume.id, uid),
        marker: volume.id === ownVolume ? undefined : markerOf(volume.path),
      }
    },
    markFailed: (id) => {
      failedAt.set(id, monotonicNow())
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
