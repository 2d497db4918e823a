import { randomUUID } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { UsageError } from '../usage-error.ts'
import { isBucketUrl } from './bucket-url.ts'
import { ignoring } from './folders.ts'
import { readMarker, tryToWrite, writeMarker } from './volume-files.ts'
import type { VolumeRows } from './volume-rows.ts'

export type KnownVolume = { id: number; key: string; path: string; isListed: boolean }

/** The id of the data folder's volume. It needs no marker, as the server can't run without that folder. */
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

const requireNew = async (path: string): Promise<void> => {
  const isFolder = (await stat(path).catch(ignoring('ENOENT', 'ENOTDIR')))?.isDirectory() === true
  if (!isFolder) throw new UsageError(`ARCHIVE_DIRS: there is no folder ${path}; create it on its disk`)
  await tryToWrite(path).catch((error: unknown) => {
    throw new UsageError(`ARCHIVE_DIRS: ${path} can't be written (${error instanceof Error ? error.message : ''})`)
  })
}

/**
 * The folders of an archive: `own`, those of ARCHIVE_DIRS, and earlier ones that still have chunks. A known folder
 * without its marker is a mount point without its disk; an unknown folder becomes a new volume.
 */
export const listVolumes = async (rows: VolumeRows, own: string, listed: readonly string[]): Promise<KnownVolume[]> => {
  const found: KnownVolume[] = [{ id: ownVolume, key: '', path: own, isListed: listed.includes(own) }]
  const others = listed.filter((path) => path !== own)
  const real = await Promise.all(others.map(async (path) => (await realpath(path).catch(ignoring('ENOENT'))) ?? path))
  requireApart(real, (await realpath(own).catch(ignoring('ENOENT'))) ?? own)
  for (const path of others) {
    const known = await rows.all()
    let key = await readMarker(path)
    let row = known.find((each) => (key === undefined ? each.path === path : each.key === key))
    if (key === undefined && row === undefined) {
      await requireNew(path)
      key = randomUUID()
      await writeMarker(path, key)
    }
    const twin = found.find((each) => each.isListed && row?.id === each.id)
    if (twin !== undefined || (key !== undefined && (await readMarker(own)) === key))
      throw new UsageError(`ARCHIVE_DIRS: ${path} and ${twin?.path ?? own} are the same volume`)
    if (row !== undefined && row.path !== path) await rows.move(row.id, path)
    row ??= { id: await rows.add(key ?? '', path), key: key ?? '', path, isMissing: false }
    found.push({ id: row.id, key: row.key, path, isListed: true })
  }
  for (const { id, key, path } of await rows.all()) {
    const isKnown = isBucketUrl(path) || found.some((each) => each.id === id)
    if (!isKnown && !(await rows.drop(id))) found.push({ id, key, path, isListed: false })
  }
  return found
}
