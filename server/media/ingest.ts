import { guarded, reportFault } from '../guarded.ts'
import { isDiskError } from '../store/disk-error.ts'
import { createBoxCutter, ImpossibleBox } from './boxes.ts'
import { classifyFailure, type FailureReason } from './failures.ts'
import { hasOtherParameters, readFragment, readInit, type Fragment, type Init } from './fragments.ts'
import type { Gateway } from './gateway.ts'
import { sequenceSetsIn, withSetsOf } from './in-band-sets.ts'
import { startTool } from './process.ts'
import { withoutSoundLead } from './sound-lead.ts'

/** Where the fragments of a run go. */
export type Sink = {
  take: (fragment: Fragment, arrivedAt: number) => void
  finish: () => Promise<void>
  /** Why the run must end; undefined if it may go on. */
  ending: () => 'drifted' | 'noKeyframes' | undefined
}

export type IngestOptions = {
  /** All arguments of ffmpeg; it must write fragmented MP4 to stdout. */
  args: readonly string[]
  gateway?: Gateway
  /** Whether the arguments encode the pictures. */
  encodes?: boolean
  /** Whether the arguments map sound of the source: if none comes, the run ends as `soundless`. */
  mapsSound?: boolean
  /** Whether sound of the source should be mapped once it comes: the run then ends as `soundStarted`. */
  awaitsSound?: boolean
  /** Whether the arguments are for other tracks than the source has: the run then ends as `changed`. */
  isOutdated?: (init: Init) => boolean
  now: () => number
  /** Called once, with the init, when the first picture has come. `fail` ends the run with an error of the sink. */
  onInit: (init: Init, fail: (error: unknown) => void) => Sink
}

/** Why a run ended. */
export type IngestEnd =
  | { kind: 'stopped' }
  /** The source has other tracks than the arguments are for, or needs another init; or a demo scene has drifted. */
  | { kind: 'changed' }
  /** The source announces sound that never comes, or that can't be decoded. */
  | { kind: 'soundless' }
  /** The source sends sound that isn't mapped. */
  | { kind: 'soundStarted' }
  | { kind: 'failed'; reason: FailureReason }

/** `ended` never rejects. */
export type Ingest = {
  stop: () => void
  /** Pictures per second, over the last seconds; 0 at the start. */
  frameRate: () => number
  ended: Promise<IngestEnd>
}

/** Without a picture for this long the source has stopped sending, even if its sound goes on. */
const silenceMs = 20_000
/** The same until the init, as ffmpeg writes nothing before the first keyframe, which may take a minute. */
const firstSilenceMs = 75_000
/** Sound kept until the next picture: at a low frame rate some parts have no picture. */
const maxSoundBytes = 1024 * 1024
/** The boxes before an `mdat` or of the init. */
const maxHeadBytes = 1024 * 1024
/** A player waits for announced sound: after so many seconds without it the source is recorded without sound. */
const maxSoundlessSeconds = 10
/** A keyframe comes sooner, if any does. */
const maxSplitSeconds = 75
/** The frame rate is averaged over about this time. */
const rateSeconds = 10
/** Words in messages of ffmpeg when it can't start because of the sound. */
const soundErrors = [
  ['too many packets buffered'],
  ['decoder ', ' not found'],
  ['error ', 'decoding ', 'audio'],
  ['error ', 'initializing ', 'audio'],
]
const failsForSound = (stderrTail: string): boolean =>
  stderrTail
    .toLowerCase()
    .split('\n')
    .some((line) => soundErrors.some((words) => words.every((each) => line.includes(each))))

const bytesOf = (parts: readonly Buffer[]): number => parts.reduce((sum, each) => sum + each.length, 0)

/** A fragment with sound that came before it. */
const withSoundBefore = (fragment: Fragment, sound: readonly Buffer[]): Fragment => {
  if (sound.length === 0) return fragment
  const { picture } = fragment
  const moved = { ...picture, offset: picture.offset + bytesOf(sound) }
  return { ...fragment, bytes: Buffer.concat([...sound, fragment.bytes]), picture: moved }
}

/** The first fragment of a run, without leading sound if that would begin before media time 0: no player accepts it. */
const asFirst = (fragment: Fragment, init: Init): Fragment =>
  fragment.soundLead > fragment.start ? withoutSoundLead(fragment, init) : fragment

const reasonOf = (error: unknown): FailureReason => {
  if (isDiskError(error)) return 'The disk is full'
  return error instanceof ImpossibleBox ? 'The source sends too much at once' : 'ProbeError'
}

/**
 * Runs one ffmpeg and cuts its output into fragments. If this process is killed, ffmpeg ends as its pipe breaks. The
 * gateway stays open.
 */
export const startIngest = (options: IngestOptions): Ingest => {
  const { args, gateway, encodes, mapsSound, awaitsSound, isOutdated, now, onInit } = options
  const running = startTool('ffmpeg', args, {
    ...(gateway === undefined ? {} : { gateway }),
    ...(encodes === true ? { priority: 'encoding' } : {}),
  })
  const cut = createBoxCutter()
  let end: IngestEnd | undefined
  let head: Buffer[] = []
  let init: Init | undefined
  let sink: Sink | undefined
  /** The sequence parameter sets of the first picture. */
  let knownSets: readonly Buffer[] = []
  let sound: Buffer[] = []
  let soundlessSeconds = 0
  /** Why ffmpeg ends when it has read to the next keyframe, and for how long it has gone on since. */
  let splitEnd: IngestEnd | undefined
  let splittingSeconds = 0
  let counted = { frames: 0, seconds: 0 }

  const endAs = (reason: IngestEnd) => {
    end ??= reason
    running.kill()
  }
  const fail = (error: unknown) => endAs({ kind: 'failed', reason: reasonOf(error) })
  const onSilence = guarded('ingest: silence', () => endAs({ kind: 'failed', reason: 'The source stopped sending' }))
  let watchdog = setTimeout(onSilence, firstSilenceMs)

  /** Ends at the next keyframe if the source can be split there, so that nothing is lost; else at once. */
  const endAtKeyframe = (reason: IngestEnd, seconds: number) => {
    splittingSeconds += seconds
    if (splitEnd === undefined && gateway?.transport()?.split() === true) splitEnd = reason
    if (splitEnd === undefined || splittingSeconds > maxSplitSeconds) endAs(reason)
  }

  const acceptInit = () => {
    init = readInit(Buffer.concat(head))
    if (init === undefined) endAs({ kind: 'failed', reason: 'The source has no video' })
    else if (isOutdated?.(init) === true) endAs({ kind: 'changed' })
    clearTimeout(watchdog)
    watchdog = setTimeout(onSilence, silenceMs)
  }

  /**
   * The first picture says what the camera sends: what it announces (SDP), of which ffmpeg makes the init, may be that
   * of an earlier resolution.
   */
  const begin = (first: Fragment, announced: Init): Sink => {
    if (first.isIndependent) knownSets = sequenceSetsIn(first, announced)
    const differs = first.isIndependent && hasOtherParameters(first, announced)
    init = (differs ? withSetsOf(first, announced) : undefined) ?? announced
    sink = onInit(init, fail)
    return sink
  }

  const count = ({ frames, duration }: Fragment) => {
    const weight = Math.max(0, 1 - duration / rateSeconds)
    counted = { frames: counted.frames * weight + frames, seconds: counted.seconds * weight + duration }
  }

  const acceptFragment = (bytes: Buffer, ofRun: Init) => {
    const alone = readFragment(bytes, ofRun)
    soundlessSeconds = alone === undefined || alone.hasSound ? 0 : soundlessSeconds + alone.duration
    if (alone === undefined) {
      sound.push(bytes)
      while (bytesOf(sound) > maxSoundBytes) sound.shift()
      return
    }
    watchdog.refresh()
    const fragment = sink === undefined ? asFirst(alone, ofRun) : withSoundBefore(alone, sound)
    sound = []
    count(fragment)
    if (sink !== undefined && hasOtherParameters(fragment, ofRun, knownSets)) {
      endAs({ kind: 'changed' })
      return
    }
    const taking = sink ?? begin(fragment, ofRun)
    taking.take(fragment, now())
    const ending = taking.ending()
    const isSoundless = mapsSound === true && soundlessSeconds > maxSoundlessSeconds
    const hasSoundStarted = awaitsSound === true && gateway?.transport()?.sound() !== undefined
    if (splitEnd !== undefined || isSoundless) endAtKeyframe(splitEnd ?? { kind: 'soundless' }, fragment.duration)
    else if (hasSoundStarted) endAtKeyframe({ kind: 'soundStarted' }, fragment.duration)
    if (ending === 'drifted') endAs({ kind: 'changed' })
    if (ending === 'noKeyframes') endAs({ kind: 'failed', reason: 'The source sends no keyframes' })
  }

  const acceptBox = (box: Buffer) => {
    const type = box.toString('latin1', 4, 8)
    if (type === 'ftyp' || type === 'moof') head = []
    head.push(box)
    if (type === 'mdat') {
      const bytes = Buffer.concat(head)
      head = []
      if (init !== undefined) acceptFragment(bytes, init)
      return
    }
    if (bytesOf(head) > maxHeadBytes) throw new ImpossibleBox('A head without an end')
    if (type === 'moov') acceptInit()
  }

  const acceptOutput = (output: Buffer) => {
    if (end !== undefined) return
    if (init === undefined) watchdog.refresh()
    try {
      for (const box of cut(output)) if (end === undefined) acceptBox(box)
    } catch (error) {
      // Errors of cameras and disks go to the log of the stream; others are errors of the server.
      if (!(error instanceof ImpossibleBox) && !isDiskError(error)) throw error
      fail(error)
    }
  }

  const finish = async (): Promise<void> => {
    clearTimeout(watchdog)
    try {
      await sink?.finish()
    } catch (error) {
      if (!isDiskError(error)) reportFault({ callback: 'ingest: end', error })
      end ??= { kind: 'failed', reason: reasonOf(error) }
    }
  }

  running.child.stdin.end()
  running.child.stdout.on('data', guarded('ingest: output', acceptOutput, fail))
  const ended = running.ended.then(finish).then((): IngestEnd => {
    const otherwise: FailureReason = init === undefined ? 'ProbeError' : 'The connection was lost'
    if (mapsSound === true && init === undefined && failsForSound(running.stderrTail())) end ??= { kind: 'soundless' }
    end ??= splitEnd
    return end ?? { kind: 'failed', reason: classifyFailure(gateway?.failure(), running.stderrTail(), otherwise) }
  })
  return {
    stop: () => endAs({ kind: 'stopped' }),
    frameRate: () => (counted.seconds === 0 ? 0 : Math.round((counted.frames / counted.seconds) * 10) / 10),
    ended,
  }
}
