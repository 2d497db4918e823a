/** A file in the browser or on a disk, read by byte ranges; `to` is exclusive. */
export type FileSource = { size: number; read: (from: number, to: number) => Promise<Uint8Array> }

/** The byte range of a stored entry; `to` is exclusive. */
export type ZipEntry = { name: string; from: number; to: number }

export type ZipFault = 'noZip' | 'truncated' | 'broken'
export class ZipError extends Error {
  readonly fault: ZipFault
  constructor(fault: ZipFault) {
    super(fault)
    this.fault = fault
  }
}

/** Signatures at the start of each record (APPNOTE 6.3.9, section 4.3). */
const signatures = {
  localHeader: 0x04034b50,
  centralHeader: 0x02014b50,
  end: 0x06054b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
}
/** The header of an extra field with 64-bit sizes and offsets. */
const zip64ExtraId = 1
/** A 32-bit field with this value is in the Zip64 extra field. */
const inZip64 = 0xffffffff
/** The lengths of the records without their fields of variable length. */
const localHeaderBytes = 30
const centralHeaderBytes = 46
const endBytes = 22
const zip64EndBytes = 56
const zip64LocatorBytes = 20
const maxCommentBytes = 0xffff
const maxDirectoryBytes = 16 * 1024 * 1024
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Undefined if the bytes aren't UTF-8. */
const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const uint64 = (view: DataView, at: number): number => Number(view.getBigUint64(at, true))

const beginsAsZip = async ({ size, read }: FileSource): Promise<boolean> =>
  size >= 4 && viewOf(await read(0, 4)).getUint32(0, true) === signatures.localHeader

/** The central directory: `count` entries in `bytes` from offset `at`. */
type Directory = { count: number; bytes: number; at: number }

/**
 * Reads where the central directory is from the record at the end of the file, with Zip64 from the record before it.
 */
const findDirectory = async (source: FileSource): Promise<Directory> => {
  const { size, read } = source
  const from = Math.max(0, size - endBytes - maxCommentBytes)
  const tail = await read(from, size)
  const view = viewOf(tail)
  for (let at = tail.length - endBytes; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== signatures.end || at + endBytes + view.getUint16(at + 20, true) !== tail.length)
      continue
    const directory = {
      count: view.getUint16(at + 10, true),
      bytes: view.getUint32(at + 12, true),
      at: view.getUint32(at + 16, true),
    }
    const locator = at - zip64LocatorBytes
    const isZip64 = locator >= 0 && view.getUint32(locator, true) === signatures.zip64Locator
    if (!isZip64) return directory
    const record = uint64(view, locator + 8)
    if (record + zip64EndBytes > size) throw new ZipError('broken')
    const end = viewOf(await read(record, record + zip64EndBytes))
    if (end.getUint32(0, true) !== signatures.zip64End) throw new ZipError('broken')
    return { count: uint64(end, 32), bytes: uint64(end, 40), at: uint64(end, 48) }
  }
  throw new ZipError((await beginsAsZip(source)) ? 'truncated' : 'noZip')
}

/** A header of the central directory. `offset`: of the local header in the file; `next`: of the next header. */
type CentralHeader = { name: string; bytes: number; offset: number; next: number }

const readCentralHeader = (directory: Uint8Array, at: number): CentralHeader => {
  const view = viewOf(directory)
  if (at + centralHeaderBytes > directory.length || view.getUint32(at, true) !== signatures.centralHeader)
    throw new ZipError('broken')
  let bytes = view.getUint32(at + 24, true)
  const stored = view.getUint16(at + 10, true) === 0 && view.getUint32(at + 20, true) === bytes
  let offset = view.getUint32(at + 42, true)
  const [nameEnd, extraBytes] = [at + centralHeaderBytes + view.getUint16(at + 28, true), view.getUint16(at + 30, true)]
  const next = nameEnd + extraBytes + view.getUint16(at + 32, true)
  const name = textOf(directory.subarray(at + centralHeaderBytes, nameEnd))
  if (!stored || next > directory.length || name === undefined) throw new ZipError('broken')
  for (let extra = nameEnd; extra + 4 <= nameEnd + extraBytes; extra += 4 + view.getUint16(extra + 2, true)) {
    if (view.getUint16(extra, true) !== zip64ExtraId) continue
    let field = extra + 4
    const nextField = (fieldBytes: number): number => {
      const start = field
      field += fieldBytes
      if (field > nameEnd + extraBytes) throw new ZipError('broken')
      return start
    }
    // Two sizes of 8 bytes each, uncompressed and compressed; they are equal.
    if (bytes === inZip64) bytes = uint64(view, nextField(16))
    if (offset === inZip64) offset = uint64(view, nextField(8))
    break
  }
  return { name, bytes, offset, next }
}

/** Reads the local header before the bytes; rejects if its name differs from that in the central directory. */
const entryOf = async ({ size, read }: FileSource, { name, bytes, offset }: CentralHeader): Promise<ZipEntry> => {
  if (offset + localHeaderBytes > size) throw new ZipError('broken')
  const header = viewOf(await read(offset, offset + localHeaderBytes))
  if (header.getUint32(0, true) !== signatures.localHeader) throw new ZipError('broken')
  const nameEnd = offset + localHeaderBytes + header.getUint16(26, true)
  const from = nameEnd + header.getUint16(28, true)
  if (from + bytes > size || textOf(await read(offset + localHeaderBytes, nameEnd)) !== name)
    throw new ZipError('broken')
  return { name, from, to: from + bytes }
}

/**
 * The entries of a ZIP without compression (APPNOTE 6.3.9). Rejects with `ZipError`, or with the error of a read that
 * failed, which says nothing about the ZIP.
 */
export const readZip = async (source: FileSource, maxEntries: number): Promise<ZipEntry[]> => {
  const { count, bytes, at } = await findDirectory(source)
  if (count > maxEntries || bytes > maxDirectoryBytes) throw new ZipError('broken')
  if (at + bytes > source.size) throw new ZipError('broken')
  const directory = await source.read(at, at + bytes)
  const entries: ZipEntry[] = []
  for (let index = 0, offset = 0; index < count; index += 1) {
    const header = readCentralHeader(directory, offset)
    entries.push(await entryOf(source, header))
    offset = header.next
  }
  return entries
}
