import { boxAt, boxesIn, makeBox } from '../../media/boxes.ts'
import { chapterList, chapterOf, type Chapter } from '../../media/chapters.ts'
import { validationError } from '../../http/api-error.ts'
import { isH265, type Init } from '../../media/init.ts'
import { rewriteSegment, initWithoutSound, withParameterSets } from '../../media/rewrite.ts'
import { hasMixedSound, type Run } from '../format/run.ts'
import { createFragmentCheck, type Segment } from '../format/segment.ts'

export type Download = {
  /** The length of the file, if known. */
  bytes: number | undefined
  pieces: () => AsyncGenerator<Buffer>
}

/** An init with the length of the whole file (`mehd`), for players to show, and with its chapters. */
const initOfFile = (init: Buffer, seconds: number, chapters: readonly Chapter[]): Buffer => {
  const mvhd = boxAt(init, 'moov/mvhd')
  const timescale = mvhd === undefined ? 1000 : init.readUInt32BE(mvhd.payload + (init[mvhd.payload] === 1 ? 20 : 12))
  const content = Buffer.alloc(12)
  content.writeUInt8(1, 0)
  content.writeBigUInt64BE(BigInt(Math.round(seconds * timescale)), 4)
  const mehd = makeBox('mehd', content)
  const udta = boxAt(init, 'moov/udta')
  const userData = udta === undefined ? [] : [init.subarray(udta.payload, udta.end)]
  if (chapters.length > 0) userData.push(chapterList(chapters))
  return Buffer.concat(
    boxesIn(init).map((top) => {
      if (top.type !== 'moov') return init.subarray(top.start, top.end)
      return makeBox(
        'moov',
        ...boxesIn(init, top.payload, top.end)
          .filter(({ type }) => type !== 'udta')
          .map((box) => {
            const whole = init.subarray(box.start, box.end)
            return box.type === 'mvex' ? makeBox('mvex', mehd, init.subarray(box.payload, box.end)) : whole
          }),
        ...(userData.length > 0 ? [makeBox('udta', ...userData)] : []),
      )
    }),
  )
}

/** Whether two runs have different parameter sets: one file for both must repeat them in its segments. */
export const haveOtherParameterSets = (a: Run, b: Run): boolean => {
  const [sets, others] = [a, b].map(({ init: { video } }) => Buffer.concat(video.parameterSets))
  return sets === undefined || others === undefined || !sets.equals(others)
}

/** Pages of segments, cut where a range ends. Throws once `signal` aborts. */
export const cutPages = async function* (
  pages: AsyncGenerator<Segment[]>,
  to: number,
  signal: AbortSignal,
): AsyncGenerator<Segment[]> {
  const cut = (segment: Segment): Segment =>
    segment.finish <= to ? segment : { ...segment, finish: to, duration: (to - segment.start) / 1000 }
  for await (const page of pages) {
    signal.throwIfAborted()
    yield page.map(cut)
  }
}

/**
 * The recordings of a range. `pages` reads its segments, oldest first, from the beginning with each call; of those that
 * are cut, `read` gives `sizeOf` bytes.
 */
export type DownloadSource = {
  read: (segment: Segment) => Promise<Buffer>
  isCut: (segment: Segment) => boolean
  sizeOf: (segment: Segment) => Promise<number>
  runsOf: (segments: readonly Pick<Segment, 'run'>[]) => Promise<readonly Run[]>
  pages: () => AsyncGenerator<Segment[]>
}

type JoinOptions = {
  runs: ReadonlyMap<number, Run>
  /** Media time of the first segment, seconds. */
  beginning: number
  withoutSound: boolean
  /** Adds its run's parameter sets to each segment. */
  withParameters: boolean
  read: DownloadSource['read']
}

/** A segment as a file takes it. `shown`: the media time at which its first picture is shown, seconds. */
export type JoinedSegment = { segment: Segment; run: Run; shown: number; bytes: Buffer }

/** Encodes a download again, as H.264 of the size of its first run. */
export type DownloadDrawing = {
  initOf: (init: Init) => Promise<Buffer>
  segments: (joined: AsyncGenerator<JoinedSegment>, head: Run, withoutSound: boolean) => AsyncGenerator<JoinedSegment>
}

/** A segment that begins this close to the end of the one before it, in media time, isn't moved relative to it. */
const maxDifferenceSeconds = 0.02

/** Moves segments in media time, so that they follow one another without gaps. */
export const joinedSegments = async function* (
  segments: AsyncIterable<Segment>,
  { runs, beginning, withoutSound, withParameters, read }: JoinOptions,
): AsyncGenerator<JoinedSegment> {
  let nextStart = beginning
  let before: Segment | undefined
  let shift = 0
  for await (const segment of segments) {
    const run = runs.get(segment.run)
    if (run === undefined) continue
    const isContinuing =
      before?.run === segment.run &&
      Math.abs(before.mediaStart + before.duration - segment.mediaStart) < maxDifferenceSeconds
    if (!isContinuing) shift = nextStart - segment.mediaStart
    const moved = rewriteSegment(await read(segment), run.init, { seconds: shift, dropsSound: withoutSound })
    const bytes = withParameters ? withParameterSets(moved, run.init) : moved
    yield { segment, run, shown: segment.mediaStart + shift, bytes }
    nextStart += segment.duration
    before = segment
  }
}

/** Runs whose sound has this in common can share a track. */
export const soundKindOf = ({ init: { tracks } }: Run): string => {
  const sound = tracks.find(({ kind }) => kind === 'audio')
  return `${sound?.codec} ${sound?.timescale}`
}

/**
 * Sums and limits of all segments; `bytes` is without those that are `cut`. `startOf`: the start of the first segment
 * of each run, epoch milliseconds. `fragments`: where each begins, in seconds of media, and when it was recorded.
 */
const measure = async ({ pages, isCut }: Pick<DownloadSource, 'pages' | 'isCut'>) => {
  let first: Segment | undefined
  let [lastStart, bytes, seconds] = [0, 0, 0]
  const startOf = new Map<number, number>()
  const cut: Segment[] = []
  const isFirstOfFragment = createFragmentCheck()
  const fragments: { at: number; recordedAt: number }[] = []
  for await (const page of pages()) {
    for (const segment of page) {
      first ??= segment
      if (!startOf.has(segment.run)) startOf.set(segment.run, segment.start)
      lastStart = segment.start
      if (isFirstOfFragment(segment)) fragments.push({ at: seconds, recordedAt: segment.start })
      if (isCut(segment)) cut.push(segment)
      else bytes += segment.bytes
      seconds += segment.duration
    }
  }
  return first === undefined ? undefined : { first, lastStart, bytes, cut, seconds, startOf, fragments }
}

/** Where the pictures begin, seconds: sound may begin a little earlier, and its time can't be negative. */
export const soundAhead = 0.1

/** One for each recorded fragment; none if there are no gaps. */
const chaptersOf = (fragments: readonly { at: number; recordedAt: number }[], beginning: number): Chapter[] =>
  fragments.length < 2
    ? []
    : fragments.map(({ at, recordedAt }, index) => chapterOf(index === 0 ? 0 : beginning + at, recordedAt))

const isOtherCodec = (a: Run, b: Run): boolean => isH265(a.init.video) !== isH265(b.init.video)

/**
 * Plans one MP4 of all segments without gaps; after each gap a chapter begins. If parameter sets change, each segment
 * gets those of its run. Undefined if nothing is recorded. Throws 400 if the codec changes, as a player has one decoder
 * for a file; a drawing encodes everything with one codec.
 */
export const planDownload = async (
  { read, isCut, sizeOf, runsOf, pages }: DownloadSource,
  drawing?: DownloadDrawing,
): Promise<Download | undefined> => {
  const whole = await measure({ pages, isCut })
  const runs = await runsOf([...(whole?.startOf.keys() ?? [])].map((run) => ({ run })))
  const byId = new Map(runs.map((run) => [run.id, run]))
  const withoutSound = hasMixedSound(runs) || new Set(runs.map(soundKindOf)).size > 1
  const head = whole === undefined ? undefined : byId.get(whole.first.run)
  if (whole === undefined || head === undefined) return undefined
  const other = runs
    .filter((run) => drawing === undefined && isOtherCodec(run, head))
    .map(({ id }) => whole.startOf.get(id) ?? Infinity)
  if (other.length > 0) {
    const time = new Date(Math.min(...other)).toISOString()
    throw validationError({ end_time: `The codec changes at ${time}: download up to there` })
  }
  const withParameters = drawing === undefined && runs.some((run) => haveOtherParameterSets(run, head))
  const beginning = head.hasSound && !withoutSound ? soundAhead : 0
  const headInit = withoutSound ? initWithoutSound(head.init) : head.init
  const bytes = drawing === undefined ? headInit.bytes : await drawing.initOf(headInit)
  const init = initOfFile(bytes, beginning + whole.seconds, chaptersOf(whole.fragments, beginning))

  const segments = async function* (): AsyncGenerator<Segment> {
    for await (const page of pages()) {
      for (const segment of page) {
        // This segment was recorded after the plan was made.
        if (segment.start > whole.lastStart) return
        yield segment
      }
    }
  }

  const pieces = async function* (): AsyncGenerator<Buffer> {
    yield init
    const joined = joinedSegments(segments(), { runs: byId, beginning, withoutSound, withParameters, read })
    const drawn = drawing === undefined ? joined : drawing.segments(joined, head, withoutSound)
    for await (const segment of drawn) yield segment.bytes
  }
  const isCopied = drawing === undefined && !withoutSound && !withParameters
  if (!isCopied) return { bytes: undefined, pieces }
  let length = init.length + whole.bytes
  for (const segment of whole.cut) length += await sizeOf(segment)
  return { bytes: length, pieces }
}

const asciiOnly = (text: string): string => text.replace(/[^\x20-\x7e]|["\\]/g, '_')

/** A moment for the name of a file, in UTC: `2026-11-21 08-00-00`. */
export const fileTime = (moment: number): string =>
  new Date(moment).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '-')

/** A name without the characters that file names can't have. */
export const safeName = (name: string): string => name.replace(/[\p{Cc}/\\:*?"<>|]+/gu, ' ').trim() || 'stream'

/** Named by stream and local time with its offset, which distinguishes the two 02:30 of a long day. */
export const dispositionOf = (streamName: string, from: number, offsetMinutes: number): string => {
  const local = fileTime(from + offsetMinutes * 60_000)
  const size = new Date(Math.abs(offsetMinutes) * 60_000).toISOString().slice(11, 16)
  const offset = `${offsetMinutes < 0 ? '-' : '+'}${size}`
  return attachmentOf(`${safeName(streamName)} ${local} ${offset}.mp4`.replaceAll(':', '-'))
}

/** Content-Disposition of a file with a name in any script (RFC 6266). */
export const attachmentOf = (name: string): string => {
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${asciiOnly(name)}"; filename*=UTF-8''${encoded}`
}
