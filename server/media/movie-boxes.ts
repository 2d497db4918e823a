import { makeBox } from './boxes.ts'

/** Integers of the given sizes, and texts as Latin-1, one after the other. */
export const fields = (...values: readonly (readonly [bytes: 1 | 2 | 4 | 8, value: number] | string)[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      if (typeof value === 'string') return Buffer.from(value, 'latin1')
      const [size, number] = value
      const bytes = Buffer.alloc(size)
      if (size === 8) bytes.writeBigInt64BE(BigInt(number))
      else if (number < 0) bytes.writeIntBE(number, 0, size)
      else bytes.writeUIntBE(number, 0, size)
      return bytes
    }),
  )

/** A box of a sample table: `before`, the number of rows, and their values of 32 bits. */
const table = (type: string, version: 0 | 1, rows: number, values: Iterable<number>, before: Buffer[] = []): Buffer => {
  const content: number[] = [...values]
  const bytes = Buffer.alloc(content.length * 4)
  for (const [index, value] of content.entries()) bytes.writeInt32BE(value | 0, index * 4)
  return makeBox(type, fields([1, version], [1, 0], [2, 0]), ...before, fields([4, rows]), bytes)
}

/** Run-length encoding of values. */
export const createRunLengths = () => {
  const runs: { count: number; value: number }[] = []
  return {
    runs,
    add: (value: number): void => {
      const last = runs.at(-1)
      if (last?.value === value) last.count += 1
      else runs.push({ count: 1, value })
    },
  }
}
type RunLengths = ReturnType<typeof createRunLengths>['runs']

/**
 * The samples of a track; times in its units. `offsets`: from the decoding of a sample to its presentation. `at`: bytes
 * from the start of the data.
 */
export type SampleTable = {
  sizes: readonly number[]
  durations: RunLengths
  offsets: RunLengths
  /** Numbers of keyframes, from 1; undefined if every sample is one. */
  keyframes: readonly number[] | undefined
  chunks: readonly { at: number; samples: number }[]
}

const pairs = function* (runs: RunLengths): Generator<number> {
  for (const { count, value } of runs) {
    yield count
    yield value
  }
}

/** The rows of `stsc`: the first chunk, its samples and their description, for chunks with as many samples. */
const chunkRows = (chunks: SampleTable['chunks']): number[][] => {
  const rows: number[][] = []
  for (const [index, { samples }] of chunks.entries())
    if (rows.at(-1)?.[1] !== samples) rows.push([index + 1, samples, 1])
  return rows
}

/** `from`: the offset of the data in the file. */
export const sampleTableBox = (stsd: Buffer, rows: SampleTable, from: number): Buffer => {
  const { sizes, durations, offsets, keyframes, chunks } = rows
  const chunkOffsets = Buffer.alloc(chunks.length * 8)
  for (const [index, { at }] of chunks.entries()) chunkOffsets.writeBigUInt64BE(BigInt(from + at), index * 8)
  const isOffset = offsets.some(({ value }) => value !== 0)
  const isNegative = offsets.some(({ value }) => value < 0)
  const chunked = chunkRows(chunks)
  return makeBox(
    'stbl',
    stsd,
    table('stts', 0, durations.length, pairs(durations)),
    ...(isOffset ? [table('ctts', isNegative ? 1 : 0, offsets.length, pairs(offsets))] : []),
    ...(keyframes === undefined ? [] : [table('stss', 0, keyframes.length, keyframes)]),
    table('stsc', 0, chunked.length, chunked.flat()),
    table('stsz', 0, sizes.length, sizes, [fields([4, 0])]),
    makeBox('co64', fields([4, 0], [4, chunks.length]), chunkOffsets),
  )
}

/** Seconds from 1904, the epoch of MP4, to 1970. */
const before1970 = 2_082_844_800

/** The times of creation and modification. `created`: epoch milliseconds, as in all functions below. */
const times = (created: number): Buffer => {
  const seconds = Math.floor(created / 1000) + before1970
  return fields([8, seconds], [8, seconds])
}

/** The matrix of a picture that is not rotated, moved or scaled. */
export const unity = fields([4, 0x10000], [8, 0], [4, 0], [4, 0x10000], [8, 0], [4, 0], [4, 0x40000000])

/** The time scale of the movie and its track headers; each media has its own. */
export const movieTimescale = 1000

export const movieHeader = (created: number, durationMs: number, nextId: number): Buffer =>
  makeBox(
    'mvhd',
    fields([4, 0x1000000]),
    times(created),
    fields([4, movieTimescale], [8, durationMs], [4, 0x10000], [2, 0x100], [2, 0], [8, 0]),
    unity,
    Buffer.alloc(24),
    fields([4, nextId]),
  )

/**
 * `flags`: 3 if the track is played. `tail`: volume, matrix and size as in the init; by default of no picture or sound.
 */
export const trackHeader = (
  created: number,
  durationMs: number,
  { id, flags, tail }: { id: number; flags: number; tail?: Buffer },
): Buffer =>
  makeBox(
    'tkhd',
    fields([4, 0x1000000 + flags]),
    times(created),
    fields([4, id], [4, 0], [8, durationMs]),
    tail ?? Buffer.concat([Buffer.alloc(16), unity, Buffer.alloc(8)]),
  )

/** `duration`: in units of the track. `language`: packed as ISO 639-2 in MP4; 0x55c4 is `und`. */
export const mediaHeader = (created: number, timescale: number, duration: number, language = 0x55c4): Buffer =>
  makeBox('mdhd', fields([4, 0x1000000]), times(created), fields([4, timescale], [8, duration], [2, language], [2, 0]))

/** Shows a track from `mediaStart` on, in units of the track. A negative one delays the track by as much. */
export const editBox = (mediaStart: number, timescale: number, durationMs: number): Buffer => {
  const delay = mediaStart < 0 ? Math.round((-mediaStart * movieTimescale) / timescale) : 0
  const rows = [
    ...(delay > 0 ? [fields([8, delay], [8, -1], [4, 0x10000])] : []),
    fields([8, Math.max(0, durationMs - delay)], [8, Math.max(0, mediaStart)], [4, 0x10000]),
  ]
  return makeBox('edts', makeBox('elst', fields([4, 0x1000000], [4, rows.length]), ...rows))
}

export type Title = { name: string; date: string; tool: string }

/** Title, date and tool, where players and file managers look for them. */
export const titleBox = (title: Title): Buffer => {
  const item = (type: string, text: string) => makeBox(type, makeBox('data', fields([4, 1], [4, 0]), Buffer.from(text)))
  return makeBox(
    'udta',
    makeBox(
      'meta',
      fields([4, 0]),
      makeBox('hdlr', fields([4, 0], [4, 0], 'mdirappl', [8, 0], [1, 0])),
      makeBox('ilst', item('\xa9nam', title.name), item('\xa9day', title.date), item('\xa9too', title.tool)),
    ),
  )
}
