import { deflateSync } from 'node:zlib'
import { chunkOf } from '../../fixtures/floor-plan.ts'

/** A grey PNG that browsers show; of more than a million pixels only its head, with `padding` bytes of a comment. */
export const pngOf = (width: number, height: number, padding = 0): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const pixels = width * height > 1_000_000 ? Buffer.alloc(0) : Buffer.alloc((width + 1) * height, 200)
  for (let row = 0; row < (pixels.length === 0 ? 0 : height); row += 1) pixels[row * (width + 1)] = 0
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunkOf('IHDR', head),
    chunkOf('tEXt', Buffer.alloc(padding, 'x')),
    chunkOf('IDAT', deflateSync(pixels)),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

const segmentOf = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker, 0, data.length + 2]), data])

const frame = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(15)
  data[0] = 8
  data.writeUInt16BE(height, 1)
  data.writeUInt16BE(width, 3)
  return segmentOf(0xc2, data)
}

/** The head of a JPEG. `orientation`: that of its Exif data, big-endian. */
export const jpegOf = (width: number, height: number, orientation = 0): Buffer => {
  const exif = Buffer.alloc(32)
  exif.write('Exif\0\0MM\0*', 'latin1')
  exif.writeUInt32BE(8, 10)
  exif.writeUInt16BE(1, 14)
  exif.writeUInt16BE(0x0112, 16)
  exif.writeUInt16BE(3, 18)
  exif.writeUInt32BE(1, 20)
  exif.writeUInt16BE(orientation, 24)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...(orientation === 0 ? [] : [segmentOf(0xe1, exif)]),
    segmentOf(0xdb, Buffer.alloc(65)),
    frame(width, height),
  ])
}

/** The head of a WebP of 640 × 360 pixels. */
export const webpOf = (format: 'VP8 ' | 'VP8L' | 'VP8X'): Buffer => {
  const bytes = Buffer.alloc(40)
  bytes.write('RIFF', 0, 'latin1')
  bytes.write(`WEBP${format}`, 8, 'latin1')
  if (format === 'VP8X') {
    bytes.writeUIntLE(639, 24, 3)
    bytes.writeUIntLE(359, 27, 3)
  } else if (format === 'VP8L') {
    bytes[20] = 0x2f
    bytes.writeUInt32LE(639 | (359 << 14), 21)
  } else {
    bytes.writeUIntBE(0x9d012a, 23, 3)
    bytes.writeUInt16LE(640, 26)
    bytes.writeUInt16LE(360, 28)
  }
  return bytes
}
