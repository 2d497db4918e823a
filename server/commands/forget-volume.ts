import { resolve } from 'node:path'
import { forgetVolume, heldOn, type Held } from '../archive/retention/forgotten-volumes.ts'
import { createAuditLog } from '../audit/audit-log.ts'
import { serverEntry } from '../audit/entry.ts'
import type { StandIn } from '../cluster/stand-in.ts'
import { answered } from '../storage/answered.ts'
import { isBucketUrl, nameOfBucket } from '../storage/bucket-url.ts'
import { readMarker } from '../storage/volume-files.ts'
import { createVolumeRows, type VolumeRow } from '../storage/volume-rows.ts'
import type { Store } from '../store/store.ts'
import { UsageError } from '../usage-error.ts'
import { exitCodes, print } from './command.ts'
import type { DataOptions } from './data-options.ts'

type Asked = { name: string; isConfirmed: boolean }
type Configured = Pick<DataOptions, 'archiveDirs' | 'archiveUrl'>

const shownPath = (path: string): string => (isBucketUrl(path) ? nameOfBucket(path) : path)

/** The volume that was asked for, which is gone for good. Throws `UsageError`. */
const requireLost = async (
  store: Store,
  name: string,
  { archiveDirs, archiveUrl }: Configured,
  cluster: StandIn | undefined,
): Promise<VolumeRow> => {
  const all = await createVolumeRows(store).all()
  const isOwn = ({ node }: VolumeRow): boolean => node === null || cluster === undefined || node === cluster.nodeId
  const named = all.filter(({ path }) => path === resolve(name) || path === name || shownPath(path) === name)
  const volume = named.find(isOwn)
  if (volume === undefined) {
    const [other] = named
    if (other !== undefined)
      throw new UsageError(`${name} is a folder of node ${other.node}: remove that node on the page Cluster`)
    const known = all.filter(isOwn).map(({ path }) => shownPath(path))
    throw new UsageError(`The archive has no volume ${name}; it has ${known.join(', ') || 'only the data folder'}`)
  }
  const { path, key } = volume
  if (archiveDirs.includes(path)) throw new UsageError(`Remove ${path} from ARCHIVE_DIRS first`)
  if (archiveUrl === path) throw new UsageError('ARCHIVE_URL names that bucket: remove it first')
  const marker = isBucketUrl(path) ? undefined : await answered('read', readMarker(path)).catch(() => undefined)
  if (marker === key) throw new UsageError(`${path} is there: only a volume whose disk is gone can be forgotten`)
  return volume
}

const lineOf = ({ uid, name, bytes, start, finish }: Held): string =>
  `${name || uid}: ${new Date(start).toISOString()} – ${new Date(finish).toISOString()}, ${bytes} bytes`

/** Prints what a lost volume had, and with `isConfirmed` removes it from the index. */
export const forgetLostVolume = async (
  store: Store,
  { name, isConfirmed }: Asked,
  configured: Configured,
  cluster: StandIn | undefined,
): Promise<number> => {
  const { id, path } = await requireLost(store, name, configured, cluster)
  const held = await heldOn(store, [id])
  print(`${shownPath(path)} had recordings of ${held.length === 1 ? '1 stream' : `${held.length} streams`}:`)
  for (const each of held) print(`  ${lineOf(each)}`)
  if (!isConfirmed) {
    print('Nothing was changed. With --yes these recordings and the volume are removed from the index.')
    return exitCodes.done
  }
  const audit = await createAuditLog(store, Date.now, { node: cluster?.nodeId ?? '' })
  const entry = serverEntry('server.forget-volume', { target: { id: shownPath(path) } })
  const begun = await audit.begin({ ...entry, outcome: 'started' })
  await forgetVolume(store, id)
  await audit.settle(begun, entry)
  print('They were removed from the index.')
  return exitCodes.done
}
