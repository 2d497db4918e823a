import { createHash } from 'node:crypto'
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import * as z from 'zod/mini'
import { ExportManifest, manifestName, signatureName } from '../../src/api/contract/exports.ts'
import { fileTime, safeName, type JoinedSegment } from '../archive/playback/download.ts'
import { sha256Of } from '../backup/manifest.ts'
import { isTimezone } from '../time-zone.ts'
import { version } from '../version.ts'
import { ExportFailed } from './export-failed.ts'
import type { Item, StoredExport } from './export-store.ts'
import { findFootage, movieOf, segmentsOf, type Footage, type FootageReader } from './footage.ts'
import { withDrawing } from './overlay.ts'
import type { SigningKey } from './signing-key.ts'
import { createZipWriter } from './zip-writer.ts'

export type MakeOptions = {
  readerOf: (uid: string) => FootageReader
  key: SigningKey
  /** Rejects if so many bytes exceed the limit of exports, or the disk's free space. */
  requireSpace: (bytes: number) => Promise<void>
  /** `fraction`: from 0 to 1. */
  onProgress: (fraction: number) => void
  now: () => number
  signal: AbortSignal
}

type ManifestFile = z.output<typeof ExportManifest>['files'][number]

/** `Door 2026-11-21 08-00-00Z.mp4`; a second one of that name gets a number. */
const createNames = () => {
  const used = new Set<string>()
  return (stream: string, moment: number): string => {
    const stem = `${safeName(stream.toWellFormed()).slice(0, 100).toWellFormed()} ${fileTime(moment)}Z`
    let name = `${stem}.mp4`
    for (let count = 2; used.has(name.toLowerCase()); count += 1) name = `${stem} (${count}).mp4`
    used.add(name.toLowerCase())
    return name
  }
}

/** Reports progress while segments are read. `total`: the bytes of all that will be read. */
const createProgress = (total: number, { onProgress, signal }: MakeOptions) => {
  let done = 0
  return async function* (segments: AsyncGenerator<JoinedSegment>): AsyncGenerator<JoinedSegment> {
    for await (const joined of segments) {
      signal.throwIfAborted()
      yield joined
      done += joined.bytes.length
      onProgress(Math.min(0.99, done / total))
    }
  }
}

/** A file that no longer exists once it is closed. */
const openUnnamed = async (path: string): Promise<FileHandle> => {
  const file = await open(path, 'w+', 0o600)
  await rm(path).catch(async (error: unknown) => {
    await file.close()
    throw error
  })
  return file
}

const hashed = async function* (buffers: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const buffer of buffers) {
    hash.update(buffer)
    yield buffer
  }
}

type FoundItem = Footage & { item: Item; index: number; reader: FootageReader }

const findAll = async (items: readonly Item[], { readerOf, signal }: MakeOptions): Promise<FoundItem[]> => {
  const found: FoundItem[] = []
  for (const [index, item] of items.entries()) {
    signal.throwIfAborted()
    const reader = readerOf(item.uid)
    found.push({ item, index, reader, ...(await findFootage(reader, { from: item.start, to: item.finish })) })
  }
  return found
}

const bytesOf = (found: readonly FoundItem[]): number =>
  found.flatMap(({ groups }) => groups).reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * Writes the ZIP of an export: one or several MP4s for each item, the manifest and its signature. It gets its final
 * name when it is complete. Rejects with `ExportFailed` where the reason is known.
 */
export const makeExport = async (
  { id, login, note, overlay, timezone: asked, items }: StoredExport,
  path: string,
  options: MakeOptions,
): Promise<{ bytes: number; sha256: string }> => {
  const { key, requireSpace, now, signal } = options
  const found = await findAll(items, options)
  // Another node that took the request may know more zones.
  const timezone = isTimezone(asked) ? asked : 'UTC'
  const isDrawn = ({ masks }: Item): boolean => overlay || masks.length > 0
  const total = bytesOf(found)
  const drawnTotal = bytesOf(found.filter(({ item }) => isDrawn(item)))
  if (total === 0) throw new ExportFailed('RECORDINGS_GONE')
  // Segments that are drawn on are kept in a file beside the ZIP.
  await requireSpace(total + drawnTotal)
  // Others are read twice: for the head of the MP4, and to copy them.
  const withProgress = createProgress(2 * total - drawnTotal, options)
  const nameOf = createNames()
  const partial = `${path}.part`
  const drawn = await openUnnamed(`${path}.drawn`)
  const file = await open(partial, 'w', 0o600).catch(async (error: unknown) => {
    await drawn.close()
    throw error
  })
  try {
    const zip = createZipWriter(file)
    const files: ManifestFile[] = []
    for (const { item, index, reader, groups } of found) {
      for (const group of groups) {
        const copied = { init: group.head.init, segments: () => withProgress(segmentsOf(reader, group, item.finish)) }
        const caption = overlay ? { name: item.name, timezone } : undefined
        const drawing = { caption, masks: item.masks, signal, file: drawn, requireSpace }
        const { init, segments } = isDrawn(item) ? await withDrawing(copied.init, copied.segments, drawing) : copied
        const movie = await movieOf(init, segments, item.finish, { name: item.name, tool: `Sightline ${version}` })
        if (movie === undefined) continue
        const { head, bytes, first, last, frames, data } = movie
        const name = nameOf(item.name, first)
        const hash = createHash('sha256')
        const content = async function* () {
          yield head
          yield* data()
        }
        await zip.add({ name, bytes, moment: first }, hashed(content(), hash))
        const { codec, width, height } = init.video
        files.push({
          name,
          bytes,
          sha256: hash.digest('hex'),
          item: index,
          startTime: first,
          endTime: last,
          frames,
          codec,
          width,
          height,
          hasSound: group.head.hasSound,
        })
      }
    }
    if (files.length === 0) throw new ExportFailed('RECORDINGS_GONE')
    const moment = now()
    const manifest = z.encode(ExportManifest, {
      format: 'sightline-export',
      version: 1,
      id,
      serverVersion: version,
      login,
      createTime: moment,
      note,
      overlay,
      ...(overlay ? { timezone } : {}),
      publicKey: key.publicKey,
      items: found.map(({ item, gaps }) => ({
        streamId: item.uid,
        streamName: item.name,
        startTime: item.start,
        endTime: item.finish,
        gaps: gaps.map(({ from, to }) => ({ startTime: from, endTime: to })),
        ...(item.masks.length > 0 ? { masks: item.masks } : {}),
      })),
      files,
    })
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
    const signature = key.sign(text)
    await zip.add({ name: manifestName, bytes: text.length, moment }, [text])
    await zip.add({ name: signatureName, bytes: signature.length, moment }, [signature])
    await zip.end()
    await file.close()
    const sha256 = await sha256Of(partial, signal)
    const { size } = await stat(partial)
    signal.throwIfAborted()
    await rename(partial, path)
    return { bytes: size, sha256 }
  } finally {
    await Promise.allSettled([file.close(), drawn.close()])
    await rm(partial, { force: true })
  }
}
