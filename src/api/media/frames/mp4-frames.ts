/** What frame times need of an initialization segment. */
export interface Tracks {
  /** The id of the video track. */
  readonly video: number
  /** How much earlier the edit list shows the frames of the video, in units of its time scale. */
  readonly editShift: number
  /** Units per second of each track, by its id. */
  readonly timescales: ReadonlyMap<number, number>
}

/** The starts of frames in seconds after the start of their segment, ascending. */
export type FrameOffsets = readonly number[]

/** A box, with the position and the end of its content; the header isn't part of it. */
interface Box {
  readonly type: string
  readonly from: number
  readonly to: number
}

/** The boxes on one level (ISO/IEC 14496-12 §4.2), up to one that exceeds its parent. */
function boxesIn(view: DataView, from: number, to: number): Box[] {
  const found: Box[] = []
  for (let at = from; at + 8 <= to;) {
    const short = view.getUint32(at)
    const isLong = short === 1 && at + 16 <= to
    const size = isLong ? Number(view.getBigUint64(at + 8)) : short === 0 ? to - at : short
    const head = isLong ? 16 : 8
    if (size < head || at + size > to) break
    const type = String.fromCharCode(
      view.getUint8(at + 4),
      view.getUint8(at + 5),
      view.getUint8(at + 6),
      view.getUint8(at + 7),
    )
    found.push({ type, from: at + head, to: at + size })
    at += size
  }
  return found
}

/** The handler type `vide`. */
const videoHandler = 0x76696465

const inside = (view: DataView, box: Box, type: string): Box[] =>
  boxesIn(view, box.from, box.to).filter((child) => child.type === type)
const firstInside = (view: DataView, box: Box | undefined, type: string): Box | undefined =>
  box === undefined ? undefined : inside(view, box, type)[0]

export const viewOf = (bytes: ArrayBuffer | ArrayBufferView): DataView =>
  ArrayBuffer.isView(bytes) ? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new DataView(bytes)

/** Undefined for truncated or broken data, as reads of a DataView beyond its end throw. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const timescaleOf = (view: DataView, header: Box): number =>
  view.getUint32(header.from + (view.getUint8(header.from) === 1 ? 20 : 12))

/**
 * The media time of the first edit that isn't empty, less the empty ones before it (ISO/IEC 14496-12 §8.6.6), which are
 * in units of the movie: `unitsPerMovieUnit` converts them. ffmpeg writes both where frames are reordered.
 */
function editShiftOf(view: DataView, trak: Box, unitsPerMovieUnit: number): number {
  const elst = firstInside(view, firstInside(view, trak, 'edts'), 'elst')
  if (elst === undefined) return 0
  const isLong = view.getUint8(elst.from) === 1
  const count = view.getUint32(elst.from + 4)
  let empty = 0
  for (let index = 0; index < count; index += 1) {
    const entry = elst.from + 8 + index * (isLong ? 20 : 12)
    const start = isLong ? Number(view.getBigInt64(entry + 8)) : view.getInt32(entry + 4)
    if (start >= 0) return start - empty * unitsPerMovieUnit
    empty += isLong ? Number(view.getBigUint64(entry)) : view.getUint32(entry)
  }
  return 0
}

/** Reads an initialization segment; undefined without a video track, or if it isn't MP4. */
export const readTracks = (bytes: ArrayBuffer | ArrayBufferView): Tracks | undefined =>
  readable(() => {
    const view = viewOf(bytes)
    const moov = boxesIn(view, 0, view.byteLength).find((box) => box.type === 'moov')
    const mvhd = firstInside(view, moov, 'mvhd')
    const timescales = new Map<number, number>()
    let video: number | undefined
    let editShift = 0
    for (const trak of moov === undefined ? [] : inside(view, moov, 'trak')) {
      const mdia = firstInside(view, trak, 'mdia')
      const [tkhd, mdhd, hdlr] = [
        firstInside(view, trak, 'tkhd'),
        firstInside(view, mdia, 'mdhd'),
        firstInside(view, mdia, 'hdlr'),
      ]
      if (tkhd === undefined || mdhd === undefined || hdlr === undefined) continue
      const id = view.getUint32(tkhd.from + (view.getUint8(tkhd.from) === 1 ? 20 : 12))
      const timescale = timescaleOf(view, mdhd)
      timescales.set(id, timescale)
      if (video !== undefined || view.getUint32(hdlr.from + 8) !== videoHandler) continue
      video = id
      editShift = editShiftOf(view, trak, mvhd === undefined ? 0 : timescale / timescaleOf(view, mvhd))
    }
    return video === undefined ? undefined : { video, editShift, timescales }
  })

/** The default duration of a sample in `tfhd`, in units, for a `trun` without durations; 0 without one. */
function defaultDuration(view: DataView, tfhd: Box): number {
  const flags = view.getUint32(tfhd.from) & 0xffffff
  if ((flags & 0x8) === 0) return 0
  return view.getUint32(tfhd.from + 8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0))
}

const decodeTimeOf = (view: DataView, tfdt: Box): number =>
  view.getUint8(tfdt.from) === 1 ? Number(view.getBigUint64(tfdt.from + 4)) : view.getUint32(tfdt.from + 4)

/** Of one `trun`: more than a minute at 240 frames a second. */
const maxSamples = 20_000

/** The presentation times of the samples of a `trun`, and the decode time at which the next `trun` begins, in units. */
function runTimes(view: DataView, trun: Box, start: number, duration: number): { times: number[]; end: number } {
  const [version, flags, count] = [
    view.getUint8(trun.from),
    view.getUint32(trun.from) & 0xffffff,
    view.getUint32(trun.from + 4),
  ]
  const stride = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4
  const first = trun.from + 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0)
  const shiftAt = stride - 4
  const times: number[] = []
  let decode = start
  if (count > maxSamples || first + count * stride > trun.to) throw new RangeError('trun is longer than its box')
  for (let index = 0; index < count; index += 1) {
    const row = first + index * stride
    const shift = flags & 0x800 ? (version === 0 ? view.getUint32(row + shiftAt) : view.getInt32(row + shiftAt)) : 0
    times.push(decode + shift)
    decode += flags & 0x100 ? view.getUint32(row) : duration
  }
  return { times, end: decode }
}

/**
 * The presentation times of the frames of a media segment, in seconds after its first decode time, at which players
 * position the segment. Undefined without video frames, without durations in `trun` or `tfhd`, or if it isn't MP4.
 */
export const readFrameOffsets = (
  bytes: ArrayBuffer | ArrayBufferView,
  { video, editShift, timescales }: Tracks,
): FrameOffsets | undefined =>
  readable(() => {
    const view = viewOf(bytes)
    const timescale = timescales.get(video) ?? 0
    const times: number[] = []
    let firstDecodeSeconds: number | undefined
    for (const moof of boxesIn(view, 0, view.byteLength).filter((box) => box.type === 'moof')) {
      for (const traf of inside(view, moof, 'traf')) {
        const [tfhd, tfdt] = [firstInside(view, traf, 'tfhd'), firstInside(view, traf, 'tfdt')]
        if (tfhd === undefined || tfdt === undefined) continue
        const trackId = view.getUint32(tfhd.from + 4)
        let decode = decodeTimeOf(view, tfdt)
        firstDecodeSeconds ??= decode / (timescales.get(trackId) ?? Number.NaN)
        if (trackId !== video) continue
        for (const trun of inside(view, traf, 'trun')) {
          const run = runTimes(view, trun, decode, defaultDuration(view, tfhd))
          times.push(...run.times)
          decode = run.end
        }
      }
    }
    const zero = firstDecodeSeconds ?? Number.NaN
    const offsets = times.map((time) => (time - editShift) / timescale - zero).toSorted((a, b) => a - b)
    const areValid = offsets.every(
      (offset, index) => Number.isFinite(offset) && offset > (offsets[index - 1] ?? Number.NEGATIVE_INFINITY),
    )
    return offsets.length > 0 && areValid ? offsets : undefined
  })
