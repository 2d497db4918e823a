import { initWithoutSound } from '../../media/rewrite.ts'
import { hasLeadingPictures, transcodeSegment, type Size } from '../../media/transcode.ts'
import type { JoinedSegment } from './download.ts'

type DrawOptions = {
  /** The filter of ffmpeg that draws into a segment. */
  filterOf: (joined: JoinedSegment) => string
  size: Size
  /** The segments have no sound, though their runs have. */
  withoutSound?: boolean
  /** Runs each transcode; can queue them. At once by default. */
  inTurn?: <T>(work: () => Promise<T>) => Promise<T>
  /** The error to throw for a segment that can't be decoded. */
  failure: () => Error
  signal: AbortSignal
}

/** Segments with something drawn into their pictures, as H.264 of one size. */
export const drawnSegments = async function* (
  segments: AsyncIterable<JoinedSegment>,
  { filterOf, size, withoutSound = false, inTurn = (work) => work(), failure, signal }: DrawOptions,
): AsyncGenerator<JoinedSegment> {
  let last: JoinedSegment | undefined
  for await (const joined of segments) {
    const { segment, run, bytes } = joined
    const init = withoutSound ? initWithoutSound(run.init) : run.init
    const isContinuing = last?.run.id === run.id && segment.start - last.segment.finish < 1
    const before = isContinuing && hasLeadingPictures(bytes, init) ? last?.bytes : undefined
    const filter = filterOf(joined)
    const drawn = await inTurn(() => transcodeSegment({ init, segment: bytes, before }, signal, { filter, size }))
    signal.throwIfAborted()
    if (drawn === undefined) throw failure()
    last = joined
    yield { ...joined, bytes: drawn }
  }
}
