import { readFile, open, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { ignoring, writeWhole } from './folders.ts'
import { parseJson } from '../parse-json.ts'

export const markerName = 'sightline-volume.json'
/** Identifies a volume wherever it is mounted. A mount point without its disk has none: nothing is written to it. */
export const markerOf = (path: string): string => join(path, markerName)
const checkOf = (path: string): string => join(path, 'sightline-volume.check')

export const Marker = z.object({ volume: z.string().check(z.regex(/^[0-9a-f-]{36}$/)) })

/** The volume's key, from the marker; undefined without a marker. */
export const readMarker = async (path: string): Promise<string | undefined> => {
  const text = await readFile(markerOf(path), 'utf8').catch(ignoring('ENOENT', 'ENOTDIR'))
  return text === undefined ? undefined : parseJson(Marker, text)?.volume
}

/** The content of a marker. */
export const markerBytes = (key: string): Buffer => Buffer.from(`${JSON.stringify({ volume: key })}\n`)

export const writeMarker = (path: string, key: string): Promise<void> => writeWhole(markerOf(path), [markerBytes(key)])

/** Writes a file to check that the folder is writable; rejects if it isn't. */
export const tryToWrite = async (path: string): Promise<void> => {
  const file = await open(checkOf(path), 'w', 0o600)
  try {
    await file.write(Buffer.from('ok\n'))
    await file.datasync()
  } finally {
    await file.close()
  }
}

export type Space = { freeBytes: number; totalBytes: number; device: number }

export const spaceOf = async (path: string): Promise<Space> => {
  const { blocks, bavail, bsize } = await statfs(path)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, device: (await stat(path)).dev }
}

const gibibyte = 2 ** 30

/** Bytes that recordings leave free for the rest of the machine: 1 %, at least 0.2 GiB, at most 2 GiB. */
export const reserveOf = ({ totalBytes }: Pick<Space, 'totalBytes'>): number =>
  Math.min(2 * gibibyte, Math.max(0.2 * gibibyte, totalBytes / 100))
