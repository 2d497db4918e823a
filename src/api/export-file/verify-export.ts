import { hashes, verify } from '@noble/ed25519'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as z from 'zod/mini'
import { ExportManifest, maxExportItems, manifestName, signatureName } from '../contract/exports.ts'
import { readZip, ZipError, type FileSource, type ZipEntry } from './zip-reader.ts'

export type { FileSource } from './zip-reader.ts'

/** `name`: of a file in the ZIP. `added`: the file is in the ZIP but not in the manifest. */
export type FileMismatch = { name: string; kind: 'changed' | 'missing' | 'added' }

/**
 * `otherKey`: the file is unchanged but signed with another key than the expected one. `truncated`: the end of the file
 * is missing. `notAnExport`: the file isn't an export.
 */
export type ExportVerdict = 'unchanged' | 'changed' | 'truncated' | 'otherKey' | 'notAnExport'

/** Trust `manifest` only if `verdict` is `unchanged`. */
export type VerifiedExport = { verdict: ExportVerdict; manifest?: ExportManifest; mismatches: FileMismatch[] }

const pieceBytes = 1024 * 1024
const maxManifestBytes = 16 * 1024 * 1024
/** A range is several files if the codec changes within it. */
const maxEntries = maxExportItems * 1000
const signatureBytes = 64
const keyBytes = 32

hashes.sha512 = sha512

const fromBase64 = (text: string): Uint8Array | undefined => {
  try {
    return Uint8Array.from(atob(text.trim()), (letter) => letter.codePointAt(0) ?? 0)
  } catch {
    return undefined
  }
}

/** Whether a text is Base64 of an Ed25519 public key, as in a manifest. */
export const isPublicKey = (text: string): boolean => fromBase64(text)?.length === keyBytes

/** A key without the white space and the `=` that a copy may have or lack. */
const bareKey = (key: string): string => key.replace(/[\s=]+/g, '')

const isSigned = (signature: Uint8Array, message: Uint8Array, publicKey: string): boolean => {
  const key = fromBase64(publicKey)
  if (key?.length !== keyBytes || signature.length !== signatureBytes) return false
  try {
    return verify(signature, message, key)
  } catch {
    return false
  }
}

const manifestOf = (bytes: Uint8Array): ExportManifest | undefined => {
  try {
    return z.safeParse(ExportManifest, JSON.parse(new TextDecoder().decode(bytes))).data
  } catch {
    return undefined
  }
}

/** `fraction`: from 0 to 1. */
type Hashing = { signal?: AbortSignal | undefined; onProgress?: ((fraction: number) => void) | undefined }

/** Reads one piece at a time, to keep memory small. */
const createHashing = (source: FileSource, total: number, { signal, onProgress }: Hashing) => {
  let done = 0
  return async ({ from, to }: ZipEntry): Promise<string> => {
    const hash = sha256.create()
    for (let at = from; at < to; at += pieceBytes) {
      signal?.throwIfAborted()
      const piece = await source.read(at, Math.min(at + pieceBytes, to))
      hash.update(piece)
      done += piece.length
      onProgress?.(total === 0 ? 1 : done / total)
    }
    return bytesToHex(hash.digest())
  }
}

const mismatchesOf = async (
  manifest: ExportManifest,
  entries: readonly ZipEntry[],
  hashOf: (entry: ZipEntry) => Promise<string>,
): Promise<FileMismatch[]> => {
  const mismatches: FileMismatch[] = []
  const byName = Map.groupBy(entries, ({ name }) => name)
  for (const { name, bytes, sha256: expected } of manifest.files) {
    const [entry, ...others] = byName.get(name) ?? []
    if (entry === undefined) mismatches.push({ name, kind: 'missing' })
    else if (others.length > 0 || entry.to - entry.from !== bytes || (await hashOf(entry)) !== expected.toLowerCase())
      mismatches.push({ name, kind: 'changed' })
  }
  const known = new Set([manifestName, signatureName, ...manifest.files.map(({ name }) => name)])
  for (const { name } of entries) if (!known.has(name)) mismatches.push({ name, kind: 'added' })
  return mismatches
}

/**
 * Checks an exported ZIP offline: that nothing was changed since it was signed and, if `key` is given, that it was
 * signed by that key (docs/wire.md §6.1).
 */
export const verifyExport = async (
  source: FileSource,
  { key, ...hashing }: Hashing & { key?: string | undefined },
): Promise<VerifiedExport> => {
  let entries: ZipEntry[]
  try {
    entries = await readZip(source, maxEntries)
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    const verdict = error.fault === 'noZip' ? 'notAnExport' : error.fault === 'truncated' ? 'truncated' : 'changed'
    return { verdict, mismatches: [] }
  }
  const bytesOf = async (name: string): Promise<Uint8Array | undefined> => {
    const [entry, ...others] = entries.filter((each) => each.name === name)
    const isReadable = entry !== undefined && others.length === 0 && entry.to - entry.from <= maxManifestBytes
    return isReadable ? source.read(entry.from, entry.to) : undefined
  }
  const [text, signature] = [await bytesOf(manifestName), await bytesOf(signatureName)]
  if (text === undefined && signature === undefined) return { verdict: 'notAnExport', mismatches: [] }
  const manifest = text === undefined ? undefined : manifestOf(text)
  if (text === undefined || signature === undefined || manifest === undefined) {
    const name = signature === undefined ? signatureName : manifestName
    const kind = text === undefined || signature === undefined ? 'missing' : 'changed'
    return { verdict: 'changed', mismatches: [{ name, kind }], ...(manifest === undefined ? {} : { manifest }) }
  }
  const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
  const mismatches = await mismatchesOf(manifest, entries, createHashing(source, total, hashing))
  if (!isSigned(signature, text, manifest.publicKey)) mismatches.unshift({ name: manifestName, kind: 'changed' })
  if (mismatches.length > 0) return { verdict: 'changed', manifest, mismatches }
  const isExpected = key === undefined || bareKey(key) === bareKey(manifest.publicKey)
  return { verdict: isExpected ? 'unchanged' : 'otherKey', manifest, mismatches }
}
