/** A file that is read piece by piece: one that was dropped, or one on a disk. `to` is exclusive. */
export type FileSource = { size: number; read: (from: number, to: number) => Promise<Uint8Array> }

/** Where the bytes of a stored entry are. */
export type ZipEntry = { name: string; from: number; to: number }

export type ZipFault = 'noZip' | 'truncated' | 'broken'
export class ZipError extends Error {
  readonly fault: ZipFault
  constructor(fault: ZipFault) {
    super(fault)
    this.fault = fault
  }
}

const full = 0xffffffff
const localBytes = 30
const centralBytes = 46
const endBytes = 22
const maxCommentBytes = 0xffff
const maxDirectoryBytes = 16 * 1024 * 1024
const utf8 = new TextDecoder('utf-8', { fatal: true })

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const large = (view: DataView, at: number): number => Number(view.getBigUint64(at, true))

const beginsAsZip = async ({ size, read }: FileSource): Promise<boolean> =>
  size >= 4 && viewOf(await read(0, 4)).getUint32(0, true) === 0x04034b50

type Directory = { count: number; bytes: number; at: number }

/** The end of the file names the directory, in 64 bits where 32 don't suffice. */
const findDirectory = async (source: FileSource): Promise<Directory> => {
  const { size, read } = source
  const from = Math.max(0, size - endBytes - maxCommentBytes)
  const tail = await read(from, size)
  const view = viewOf(tail)
  for (let at = tail.length - endBytes; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== 0x06054b50 || at + endBytes + view.getUint16(at + 20, true) !== tail.length)
      continue
    const found = {
      count: view.getUint16(at + 10, true),
      bytes: view.getUint32(at + 12, true),
      at: view.getUint32(at + 16, true),
    }
    const locator = at - 20
    const isLarge = locator >= 0 && view.getUint32(locator, true) === 0x07064b50
    if (!isLarge) return found
    const record = large(view, locator + 8)
    if (record + 56 > size) throw new ZipError('broken')
    const end = viewOf(await read(record, record + 56))
    if (end.getUint32(0, true) !== 0x06064b50) throw new ZipError('broken')
    return { count: large(end, 32), bytes: large(end, 40), at: large(end, 48) }
  }
  throw new ZipError((await beginsAsZip(source)) ? 'truncated' : 'noZip')
}

type Row = { name: string; bytes: number; offset: number; next: number }

const readRow = (directory: Uint8Array, at: number): Row => {
  const view = viewOf(directory)
  if (at + centralBytes > directory.length || view.getUint32(at, true) !== 0x02014b50) throw new ZipError('broken')
  let bytes = view.getUint32(at + 24, true)
  const stored = view.getUint16(at + 10, true) === 0 && view.getUint32(at + 20, true) === bytes
  let offset = view.getUint32(at + 42, true)
  const [nameEnd, extraBytes] = [at + centralBytes + view.getUint16(at + 28, true), view.getUint16(at + 30, true)]
  const next = nameEnd + extraBytes + view.getUint16(at + 32, true)
  if (!stored || next > directory.length) throw new ZipError('broken')
  for (let extra = nameEnd; extra + 4 <= nameEnd + extraBytes; extra += 4 + view.getUint16(extra + 2, true)) {
    if (view.getUint16(extra, true) !== 1) continue
    let field = extra + 4
    const take = (): number => {
      field += field === extra + 4 && bytes === full ? 16 : 8
      if (field > nameEnd + extraBytes) throw new ZipError('broken')
      return field
    }
    if (bytes === full) bytes = large(view, take() - 16)
    if (offset === full) offset = large(view, take() - 8)
    break
  }
  return { name: utf8.decode(directory.subarray(at + centralBytes, nameEnd)), bytes, offset, next }
}

const sameName = (one: Uint8Array, other: string): boolean => {
  try {
    return utf8.decode(one) === other
  } catch {
    return false
  }
}

/** Rejects where what stands before the bytes names another entry than the directory. */
const entryOf = async ({ size, read }: FileSource, { name, bytes, offset }: Row): Promise<ZipEntry> => {
  if (offset + localBytes > size) throw new ZipError('broken')
  const header = viewOf(await read(offset, offset + localBytes))
  if (header.getUint32(0, true) !== 0x04034b50) throw new ZipError('broken')
  const nameEnd = offset + localBytes + header.getUint16(26, true)
  const from = nameEnd + header.getUint16(28, true)
  if (from + bytes > size || !sameName(await read(offset + localBytes, nameEnd), name)) throw new ZipError('broken')
  return { name, from, to: from + bytes }
}

/** The entries of a ZIP that only stores (APPNOTE 6.3.9). Rejects with `ZipError`. */
export const readZip = async (source: FileSource, maxEntries: number): Promise<ZipEntry[]> => {
  const { count, bytes, at } = await findDirectory(source)
  if (count > maxEntries || bytes > maxDirectoryBytes) throw new ZipError('broken')
  if (at + bytes > source.size) throw new ZipError('broken')
  const directory = await source.read(at, at + bytes)
  const entries: ZipEntry[] = []
  try {
    for (let row = 0, offset = 0; row < count; row += 1) {
      const found = readRow(directory, offset)
      entries.push(await entryOf(source, found))
      offset = found.next
    }
  } catch (error) {
    throw error instanceof ZipError ? error : new ZipError('broken')
  }
  return entries
}
