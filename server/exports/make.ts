import { createHash } from 'node:crypto'
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import * as z from 'zod/mini'
import { ExportManifest, manifestName, signatureName } from '../../src/api/contract/exports.ts'
import { fileTime, safeName } from '../archive/download.ts'
import { sumOf } from '../backup/manifest.ts'
import { version } from '../version.ts'
import { ExportFailed } from './export-failed.ts'
import type { Item, StoredExport } from './export-store.ts'
import { findFootage, movieOf, piecesOf, type Group, type Piece, type Reader } from './footage.ts'
import { withOverlay } from './overlay.ts'
import type { SigningKey } from './signing-key.ts'
import { createZipWriter } from './zip-writer.ts'

export type Making = {
  readerOf: (uid: string) => Reader
  key: SigningKey
  /** Rejects if so many bytes don't fit on the disk. */
  requireSpace: (bytes: number) => Promise<void>
  /** From 0 to 1. */
  onProgress: (share: number) => void
  now: () => number
  signal: AbortSignal
}

type File = z.output<typeof ExportManifest>['files'][number]

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

/** `total` of all that is read: every byte twice, to learn what is there and to copy it, or once to be drawn into. */
const createCounter = (total: number, { onProgress, signal }: Making) => {
  let done = 0
  return async function* (pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
    for await (const piece of pieces) {
      signal.throwIfAborted()
      yield piece
      done += piece.bytes.length
      onProgress(Math.min(0.99, done / total))
    }
  }
}

/** A file that is gone once it is closed. */
const openUnnamed = async (path: string): Promise<FileHandle> => {
  const file = await open(path, 'w+', 0o600)
  await rm(path)
  return file
}

const hashed = async function* (pieces: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}

type Found = { item: Item; index: number; reader: Reader; groups: Group[]; gaps: { from: number; to: number }[] }

const findAll = async (asked: StoredExport, { readerOf, signal }: Making): Promise<Found[]> => {
  const found: Found[] = []
  for (const [index, item] of asked.items.entries()) {
    signal.throwIfAborted()
    const reader = readerOf(item.uid)
    found.push({ item, index, reader, ...(await findFootage(reader, { from: item.start, to: item.finish })) })
  }
  return found
}

/**
 * Writes the ZIP of an export: an MP4 for each camera and stretch, the manifest and its signature. It gets its name
 * once it is whole. Rejects with `ExportFailed` where the reason is known.
 */
export const makeExport = async (
  asked: StoredExport,
  path: string,
  making: Making,
): Promise<{ bytes: number; sha256: string }> => {
  const { key, requireSpace, now, signal } = making
  const found = await findAll(asked, making)
  const total = found.flatMap(({ groups }) => groups).reduce((sum, { bytes }) => sum + bytes, 0)
  if (total === 0) throw new ExportFailed('RECORDINGS_GONE')
  // What is drawn into is encoded anew, and kept until it is in the file.
  await requireSpace(asked.overlay ? 2 * total : total)
  const counted = createCounter(asked.overlay ? total : 2 * total, making)
  const nameOf = createNames()
  const partial = `${path}.part`
  const file = await open(partial, 'w', 0o600)
  const drawn = await openUnnamed(`${path}.drawn`)
  try {
    const zip = createZipWriter(file)
    const files: File[] = []
    for (const { item, index, reader, groups } of found) {
      for (const group of groups) {
        const copied = { init: group.head.init, pieces: () => counted(piecesOf(reader, group, item.finish)) }
        const { init, pieces } = asked.overlay
          ? await withOverlay(copied.init, copied.pieces, { name: item.name, signal, file: drawn })
          : copied
        const movie = await movieOf(init, pieces, item.finish, { name: item.name, tool: `Sightline ${version}` })
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
    const moment = now()
    const manifest = z.encode(ExportManifest, {
      format: 'sightline-export',
      version: 1,
      id: asked.id,
      serverVersion: version,
      login: asked.login,
      createTime: moment,
      note: asked.note,
      overlay: asked.overlay,
      publicKey: key.publicKey,
      items: found.map(({ item, gaps }) => ({
        streamId: item.uid,
        streamName: item.name,
        startTime: item.start,
        endTime: item.finish,
        gaps: gaps.map(({ from, to }) => ({ startTime: from, endTime: to })),
      })),
      files,
    })
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
    const signature = key.sign(text)
    await zip.add({ name: manifestName, bytes: text.length, moment }, [text])
    await zip.add({ name: signatureName, bytes: signature.length, moment }, [signature])
    await zip.end()
    await file.close()
    const sha256 = await sumOf(partial, signal)
    const { size } = await stat(partial)
    signal.throwIfAborted()
    await rename(partial, path)
    return { bytes: size, sha256 }
  } finally {
    await file.close()
    await drawn.close()
    await rm(partial, { force: true })
  }
}
