/** `type` is a media type; sizes in pixels, as browsers show the picture. */
export type PictureSize = { type: 'image/png' | 'image/jpeg' | 'image/webp'; width: number; height: number }

const hasText = (bytes: Buffer, offset: number, text: string): boolean =>
  bytes.toString('latin1', offset, offset + text.length) === text

const pngSignature = '\u0089PNG\r\n\u001a\n'

const ofPng = (bytes: Buffer): PictureSize | undefined => {
  if (bytes.length < 45 || !hasText(bytes, 12, 'IHDR')) return undefined
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

const ofWebp = (bytes: Buffer): PictureSize | undefined => {
  if (bytes.length < 30 || !hasText(bytes, 8, 'WEBP')) return undefined
  const type = 'image/webp'
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return bytes[20] === 0x2f ? { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : undefined
    }
    case 'VP8 ':
      return bytes.readUIntBE(23, 3) === 0x9d012a
        ? { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
        : undefined
    default:
      return undefined
  }
}

/** Whether the Exif data of a JPEG, which begins with `Exif\0\0`, turns the picture by a quarter. */
const isTurned = (exif: Buffer): boolean => {
  const tiff = exif.subarray(6)
  if (tiff.length < 14) return false
  const isLittle = hasText(tiff, 0, 'II')
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (first + 2 > tiff.length) return false
  for (let index = 0; index < short(first); index += 1) {
    const entry = first + 2 + index * 12
    if (entry + 12 > tiff.length) return false
    const orientationTag = 0x0112
    if (short(entry) === orientationTag) return short(entry + 8) >= 5 && short(entry + 8) <= 8
  }
  return false
}

/** Frame headers, SOF0 to SOF15; 0xc4, 0xc8 and 0xcc are other segments. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const ofJpeg = (bytes: Buffer): PictureSize | undefined => {
  let hasTurn = false
  for (let at = 2; at + 9 < bytes.length;) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return undefined
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return undefined
    const segment = bytes.subarray(at + 4, at + 2 + length)
    if (isFrameHeader(marker)) {
      const [width, height] = [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
      return { type: 'image/jpeg', ...(hasTurn ? { width: height, height: width } : { width, height }) }
    }
    const startOfScan = 0xda
    if (marker === startOfScan) return undefined
    if (marker === 0xe1 && hasText(segment, 0, 'Exif\0\0')) hasTurn = isTurned(segment)
    at += 2 + length
  }
  return undefined
}

/** Format and size of a PNG, JPEG or WebP by its bytes, whatever its name says; undefined for anything else. */
export const pictureSizeOf = (bytes: Buffer): PictureSize | undefined => {
  if (hasText(bytes, 0, pngSignature)) return ofPng(bytes)
  if (hasText(bytes, 0, 'RIFF')) return ofWebp(bytes)
  return bytes.length > 3 && bytes.readUIntBE(0, 3) === 0xffd8ff ? ofJpeg(bytes) : undefined
}
