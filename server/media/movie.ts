import { boxAt, boxesIn, makeBox, type Box } from './boxes.ts'
import { chapterTexts, chapterTrack, type Chapter } from './chapters.ts'
import { trackIdOf, type Init, type Track } from './init.ts'
import {
  createRunLengths,
  editBox,
  fields,
  mediaHeader,
  movieHeader,
  movieTimescale,
  sampleTableBox,
  titleBox,
  trackHeader,
  type Title,
} from './movie-boxes.ts'
import { readSamples, type Sample, type TrackSamples } from './samples.ts'

/** Consecutive samples of a track, with their bytes. */
export type SampleBatch = { track: Track; decodeTime: number; samples: readonly Sample[]; data: Buffer[] }

/** When a sample is shown, in seconds. `units`: its presentation time in units of the track. */
export const shownAt = ({ timescale, editStart }: Track, units: number): number => (units - editStart) / timescale

/**
 * The samples up to the last one shown before `until`. Some among them are shown later, but may be needed to decode it.
 */
const samplesUntil = (track: Track, { decodeTime, samples }: TrackSamples, until: number): readonly Sample[] => {
  let [time, kept] = [decodeTime, 0]
  for (const [index, { duration, offset }] of samples.entries()) {
    if (shownAt(track, time + offset) < until) kept = index + 1
    time += duration
  }
  return samples.slice(0, kept)
}

/** The samples of a segment that are needed to show it up to `until`, seconds of media time. */
export const samplesOf = (segment: Buffer, { tracks }: Init, until = Infinity): SampleBatch[] => {
  const boxes = boxesIn(segment)
  return boxes
    .filter(({ type }) => type === 'moof')
    .flatMap((moof) => boxesIn(segment, moof.payload, moof.end).map((traf) => ({ moof, traf })))
    .flatMap(({ moof, traf }) => {
      const read = traf.type === 'traf' ? readSamples(segment, traf) : undefined
      const track = tracks.find(({ id }) => id === read?.id)
      if (read === undefined || track === undefined) return []
      const samples = samplesUntil(track, read, until)
      if (samples.length === 0) return []
      const data: Buffer[] = []
      for (const { at, size } of samples) data.push(segment.subarray(moof.start + at, moof.start + at + size))
      return [{ track, decodeTime: read.decodeTime, samples, data }]
    })
}

const createTable = (track: Track) => {
  const sizes: number[] = []
  const [durations, offsets] = [createRunLengths(), createRunLengths()]
  const keyframes: number[] = []
  const chunks: { at: number; samples: number }[] = []
  let [base, position, lastDuration] = [0, 0, 0]
  let [earliestUnits, latestUnits] = [Infinity, -Infinity]
  const isEmpty = (): boolean => sizes.length === 0
  return {
    track,
    isEmpty,
    /** `at`: where the bytes of the batch begin in the data. */
    add: ({ decodeTime, samples }: SampleBatch, at: number): void => {
      if (isEmpty()) [base, position] = [decodeTime, decodeTime]
      let time = decodeTime
      for (const { size, duration, offset, isSync } of samples) {
        if (!isEmpty()) {
          const step = Math.max(1, time - position)
          durations.add(step)
          position += step
        }
        sizes.push(size)
        offsets.add(offset)
        if (isSync) keyframes.push(sizes.length)
        earliestUnits = Math.min(earliestUnits, position + offset)
        latestUnits = Math.max(latestUnits, position + offset)
        lastDuration = duration
        time += duration
      }
      chunks.push({ at, samples: samples.length })
    },
    /** Call after the last sample. */
    end: () => durations.add(lastDuration),
    frames: () => sizes.length,
    firstShown: () => shownAt(track, earliestUnits),
    lastShown: () => shownAt(track, latestUnits),
    mediaDuration: () => position - base + lastDuration,
    /** The media time, from 0 and in units of the track, that is shown at a second. */
    mediaAt: (second: number) => Math.round(second * track.timescale) + track.editStart - base,
    rows: () => ({
      sizes,
      durations: durations.runs,
      offsets: offsets.runs,
      keyframes: keyframes.length === sizes.length ? undefined : keyframes,
      chunks,
    }),
  }
}
type Table = ReturnType<typeof createTable>

const sliced = (bytes: Buffer, box: Box | undefined): Buffer =>
  box === undefined ? Buffer.alloc(0) : bytes.subarray(box.start, box.end)

/** `created`: the time of the first picture, epoch milliseconds; chapters count in seconds from it. */
export type MovieTexts = Title & { created: number; chapters: readonly Chapter[] }

/**
 * Makes one MP4 from fragments, with its index at the beginning (ISO/IEC 14496-12). Add all samples, then write the
 * head, then write the bytes of the same samples in the same order. Playback begins with the first picture.
 */
export const createMovie = (init: Init) => {
  const tables = init.tracks.map(createTable)
  // By ids: in an init that came from an ingest host, the video is a copy of its track.
  const video = tables.find(({ track }) => track.id === init.video.id)
  let dataBytes = 0

  const trackBox = (
    table: Table,
    chaptersId: number | undefined,
    texts: MovieTexts,
    durationMs: number,
    dataOffset: number,
  ) => {
    const { bytes } = init
    const { track } = table
    const moov = boxAt(bytes, 'moov')
    const trak = boxesIn(bytes, moov?.payload, moov?.end).find(
      (box) => box.type === 'trak' && trackIdOf(bytes, box) === track.id,
    )
    if (trak === undefined) return []
    const [tkhd, mdhd] = [boxAt(bytes, 'tkhd', trak), boxAt(bytes, 'mdia/mdhd', trak)]
    const minf = boxAt(bytes, 'mdia/minf', trak)
    const others = boxesIn(bytes, minf?.payload, minf?.end).filter(({ type }) => type !== 'stbl')
    const stsd = sliced(bytes, boxAt(bytes, 'mdia/minf/stbl/stsd', trak))
    const language = mdhd === undefined ? 0 : bytes.readUInt16BE(mdhd.end - 4)
    const hasChapters = chaptersId !== undefined && track.id === init.video.id
    const start = table.mediaAt(video?.firstShown() ?? 0)
    const tail = tkhd === undefined ? {} : { tail: bytes.subarray(tkhd.end - 60, tkhd.end) }
    return [
      makeBox(
        'trak',
        trackHeader(texts.created, durationMs, { id: track.id, flags: 3, ...tail }),
        editBox(start, track.timescale, durationMs),
        ...(hasChapters ? [makeBox('tref', makeBox('chap', fields([4, chaptersId])))] : []),
        makeBox(
          'mdia',
          mediaHeader(texts.created, track.timescale, table.mediaDuration(), language),
          sliced(bytes, boxAt(bytes, 'mdia/hdlr', trak)),
          makeBox('minf', ...others.map((box) => sliced(bytes, box)), sampleTableBox(stsd, table.rows(), dataOffset)),
        ),
      ),
    ]
  }

  /** The duration of the pictures, milliseconds; sound that ends later is cut there. */
  const durationOf = (): number =>
    video === undefined
      ? 0
      : Math.round(
          ((video.mediaDuration() - Math.max(0, video.mediaAt(video.firstShown()))) * movieTimescale) /
            video.track.timescale,
        )

  return {
    add: (batches: readonly SampleBatch[]): void => {
      for (const each of batches) {
        tables.find(({ track }) => track.id === each.track.id)?.add(each, dataBytes)
        dataBytes += each.samples.reduce((sum, { size }) => sum + size, 0)
      }
    },
    frames: () => video?.frames() ?? 0,
    /** When the first and the last picture are shown, seconds of media time. */
    firstShown: () => video?.firstShown() ?? 0,
    lastShown: () => video?.lastShown() ?? 0,
    /** What precedes the bytes of the samples, once all are added. `bytes`: the length of the whole file. */
    head: (texts: MovieTexts): { head: Buffer; bytes: number } => {
      const used = tables.filter((table) => !table.isEmpty())
      for (const table of used) table.end()
      const durationMs = durationOf()
      const chapterBytes = Buffer.concat(chapterTexts(texts.chapters))
      const id = Math.max(...init.tracks.map((track) => track.id)) + 1
      const chaptersId = texts.chapters.length > 0 ? id : undefined
      const ftyp = makeBox('ftyp', fields('isom', [4, 0x200], 'isomiso2mp41'))
      const moovAt = (dataOffset: number) =>
        makeBox(
          'moov',
          movieHeader(texts.created, durationMs, id + 1),
          ...used.flatMap((table) => trackBox(table, chaptersId, texts, durationMs, dataOffset + chapterBytes.length)),
          ...(chaptersId === undefined
            ? []
            : [chapterTrack(texts.chapters, { id, created: texts.created, durationMs, from: dataOffset })]),
          titleBox(texts),
        )
      const mdat = fields([4, 1], 'mdat', [8, 16 + chapterBytes.length + dataBytes])
      const moov = moovAt(ftyp.length + moovAt(0).length + mdat.length)
      const head = Buffer.concat([ftyp, moov, mdat, chapterBytes])
      return { head, bytes: head.length + dataBytes }
    },
  }
}
