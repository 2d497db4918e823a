import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { UsageError } from '../usage-error.ts'
import { answered } from './answered.ts'
import { isBucketUrl } from './bucket-url.ts'
import { chunkFile, exists, folderIn, ignoring } from './folders.ts'
import { readMarker, tryToWrite, writeMarker } from './volume-files.ts'
import type { VolumeRow, VolumeRows } from './volume-rows.ts'

/** The node of a cluster that has the folders. */
export type VolumeOwner = { nodeId: string; isAvailable: (nodeId: string) => boolean }

/** `key`: what its marker says. `isListed`: the options name it, so that it takes new chunks. */
export type KnownVolume = { id: number; key: string; path: string; isListed: boolean }

/**
 * The id of the data folder's volume; in a cluster, of one node's at most (`hasOwnVolume`). It has no marker:
 * the server can't run without that folder. If its disk isn't mounted, `openOwnFolder` finds out.
 */
export const ownVolume = 0

const isIn = (path: string, other: string): boolean => {
  const relativePath = relative(other, path)
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`)
}

/** Throws if two folders are the same, or one lies inside another. `own` is the archive of the data folder. */
export const requireApart = (paths: readonly string[], own: string): void => {
  for (const [index, path] of paths.entries()) {
    for (const other of [...paths.slice(index + 1), ...(paths.includes(own) ? [] : [own])]) {
      if (path === other) throw new UsageError(`ARCHIVE_DIRS names ${path} twice`)
      const [inner, outer] = isIn(path, other) ? [path, other] : [other, path]
      if (isIn(inner, outer)) throw new UsageError(`ARCHIVE_DIRS: ${inner} lies inside ${outer}`)
    }
  }
}

/** The same by the folders that links lead to. */
const requireReallyApart = async (paths: readonly string[], own: string): Promise<void> => {
  const realPaths = await Promise.all(paths.map((path) => answered('realpath', realpath(path)).catch(() => path)))
  requireApart(realPaths, (await realpath(own).catch(ignoring('ENOENT'))) ?? own)
}

const requireWritableFolder = async (path: string, tryIt = tryToWrite): Promise<void> => {
  const isFolder = (await stat(path).catch(ignoring('ENOENT', 'ENOTDIR')))?.isDirectory() === true
  if (!isFolder) throw new UsageError(`ARCHIVE_DIRS: there is no folder ${path}; create it on its disk`)
  await tryIt(path).catch((error: unknown) => {
    throw new UsageError(`ARCHIVE_DIRS: ${path} isn't writable (${error instanceof Error ? error.message : ''})`)
  })
}

const sameVolume = (path: string, other: string): UsageError =>
  new UsageError(`ARCHIVE_DIRS: ${path} and ${other} are the same volume`)

/** Throws `UsageError` for folders that `listVolumes` would refuse as new ones. Changes nothing. */
export const requireFolders = async (own: string, listed: readonly string[]): Promise<void> => {
  const others = listed.filter((path) => path !== own)
  await requireReallyApart(others, own)
  const found = new Map<string, string>()
  for (const path of [own, ...others]) {
    const key = await answered('read', readMarker(path)).catch((error: unknown) => {
      throw new UsageError(`ARCHIVE_DIRS: ${path} can't be read (${error instanceof Error ? error.message : ''})`)
    })
    const twin = key === undefined ? undefined : found.get(key)
    if (twin !== undefined) throw sameVolume(path, twin)
    if (key !== undefined) found.set(key, path)
    else if (path !== own) await requireWritableFolder(path, (folder) => access(folder, constants.W_OK))
  }
}

/**
 * Whether the data folder of a node is volume 0: that of the server which recorded alone before there was a cluster.
 * The data folders of all other nodes are volumes with a marker.
 */
const hasOwnVolume = async (rows: VolumeRows, own: string, nodeId: string): Promise<boolean> => {
  const known = (await rows.ofNodes()).find(({ id }) => id === ownVolume)
  if (known !== undefined) return known.node === nodeId
  for (const { uid, start } of await rows.newestOn(ownVolume)) {
    if (!(await exists(join(folderIn(own, uid), chunkFile(start))))) continue
    await rows.setNode(ownVolume, nodeId)
    return true
  }
  return false
}

/**
 * The folders of an archive: `own`, those of ARCHIVE_DIRS, and earlier ones that still have chunks. In a cluster only
 * the folders of this node. A known folder whose marker can't be read stays listed: its disk isn't mounted, is broken
 * or hangs. An unknown folder becomes a new volume.
 */
export const listVolumes = async (
  rows: VolumeRows,
  own: string,
  listed: readonly string[],
  owner?: VolumeOwner,
): Promise<KnownVolume[]> => {
  const hasOwn = owner === undefined || (await hasOwnVolume(rows, own, owner.nodeId))
  if (!hasOwn) await mkdir(own, { recursive: true, mode: 0o700 })
  const found: KnownVolume[] = hasOwn ? [{ id: ownVolume, key: '', path: own, isListed: listed.includes(own) }] : []
  const others = hasOwn ? listed.filter((path) => path !== own) : listed
  await requireReallyApart(others, own)
  const isOfOther = ({ node }: VolumeRow): boolean => owner !== undefined && node !== null && node !== owner.nodeId
  for (const path of others) {
    const known = await rows.all()
    let failure: unknown
    let key = await answered('read', readMarker(path)).catch((error: unknown) => {
      failure = error
      return undefined
    })
    let row = known.find((each) => (key === undefined ? each.path === path && !isOfOther(each) : each.key === key))
    if (row === undefined && failure !== undefined) throw failure
    if (key === undefined && row === undefined) {
      await requireWritableFolder(path)
      key = randomUUID()
      await writeMarker(path, key)
    }
    if (row !== undefined && row.node !== null && isOfOther(row) && owner?.isAvailable(row.node) === true)
      throw new UsageError(`ARCHIVE_DIRS: ${path} is a folder of node ${row.node}`)
    const twin = found.find((each) => each.isListed && row?.id === each.id)
    if (twin !== undefined || (hasOwn && key !== undefined && (await readMarker(own)) === key))
      throw sameVolume(path, twin?.path ?? own)
    if (row !== undefined && row.path !== path) await rows.move(row.id, path)
    row ??= { id: await rows.add(key ?? '', path), key: key ?? '', path, isMissing: false, node: null }
    if (owner !== undefined && row.node !== owner.nodeId) await rows.setNode(row.id, owner.nodeId)
    found.push({ id: row.id, key: row.key, path, isListed: true })
  }
  for (const row of await rows.all()) {
    const { id, key, path } = row
    const isFound = found.some((each) => each.id === id)
    if (isBucketUrl(path) || isOfOther(row) || isFound) continue
    // A command that runs beside the nodes leaves their rows alone.
    const mayDrop = row.node === null || row.node === owner?.nodeId
    if (!mayDrop || !(await rows.drop(id))) found.push({ id, key, path, isListed: false })
  }
  return found
}
