import { guarded } from '../guarded.ts'
import { isDiskError } from '../store/disk-error.ts'
import { createBoxCutter, ImpossibleBox } from './boxes.ts'
import { classifyFailure, type FailureReason } from './failures.ts'
import { hasOtherParameters, readFragment, readInit, type Fragment, type Init } from './fragments.ts'
import type { Gateway } from './gateway.ts'
import { startTool } from './process.ts'
import { withoutLead } from './sound-lead.ts'

export type Sink = {
  take: (fragment: Fragment, arrivedAt: number) => void
  finish: () => Promise<void>
  ending: () => 'drifted' | 'noKeyframes' | undefined
}

export type IngestOptions = {
  /** All arguments of ffmpeg; it must write fragmented MP4 to stdout. */
  args: readonly string[]
  gateway?: Gateway
  /** The pictures come with sound of the source: without it, the run ends as `soundless`. */
  mapsSound?: boolean
  /** The arguments are for another offer of the source: the run ends as `changed`. */
  isOutdated?: () => boolean
  now: () => number
  onInit: (init: Init, fail: (error: unknown) => void) => Sink
}

export type IngestEnd =
  | { kind: 'stopped' }
  | { kind: 'changed' }
  /** The source announces sound that never comes, or that can't be decoded. */
  | { kind: 'soundless' }
  | { kind: 'failed'; reason: FailureReason }

/** `ended` never rejects. */
export type Ingest = {
  stop: () => void
  /** Pictures a second, of the last seconds; 0 before them. */
  frameRate: () => number
  ended: Promise<IngestEnd>
}

/** ffmpeg writes three parts a second, and exits by itself if the source is silent. */
const silenceMs = 20_000
/** Nothing is written before the first keyframe, which may be a minute away. */
const firstSilenceMs = 75_000
/** Sound waiting for a picture; slow cameras have pictures farther apart than parts. */
const maxSoundBytes = 1024 * 1024
const maxHeadBytes = 1024 * 1024
/** A player waits for announced sound: pictures without it this long, seconds, are recorded anew without. */
const maxSoundless = 10
const rateSeconds = 10
/** ffmpeg's message when the sound keeps it from starting. */
const soundComplaints = [
  ['too many packets buffered'],
  ['decoder ', ' not found'],
  ['error ', 'decoding ', 'audio'],
  ['error ', 'initializing ', 'audio'],
]
const lacksSound = (stderrTail: string): boolean =>
  stderrTail
    .toLowerCase()
    .split('\n')
    .some((line) => soundComplaints.some((words) => words.every((each) => line.includes(each))))

const bytesOf = (parts: readonly Buffer[]): number => parts.reduce((sum, each) => sum + each.length, 0)

const behindSound = (fragment: Fragment, sound: readonly Buffer[]): Fragment => {
  if (sound.length === 0) return fragment
  const { picture } = fragment
  const moved = { ...picture, offset: picture.offset + bytesOf(sound) }
  return { ...fragment, bytes: Buffer.concat([...sound, fragment.bytes]), picture: moved }
}

/** Sound before the first picture would only lead; before 0, no player takes it. */
const beginning = (fragment: Fragment, init: Init): Fragment =>
  fragment.soundLead > fragment.start ? withoutLead(fragment, init) : fragment

const reasonOf = (error: unknown): FailureReason => {
  if (isDiskError(error)) return 'The disk is full'
  return error instanceof ImpossibleBox ? 'The source sends too much at once' : 'ProbeError'
}

/** Runs one ffmpeg and cuts its output into fragments. ffmpeg ends with its pipe if this process is killed. */
export const startIngest = (options: IngestOptions): Ingest => {
  const { args, gateway, mapsSound, isOutdated, now, onInit } = options
  const running = startTool('ffmpeg', args, gateway === undefined ? {} : { gateway })
  const cut = createBoxCutter()
  let end: IngestEnd | undefined
  let head: Buffer[] = []
  let init: Init | undefined
  let sink: Sink | undefined
  let sound: Buffer[] = []
  let hasPicture = false
  let soundlessSeconds = 0
  let counted = { frames: 0, seconds: 0 }

  const give = (why: IngestEnd) => {
    end ??= why
    running.kill()
  }
  const fail = (error: unknown) => give({ kind: 'failed', reason: reasonOf(error) })
  const isSilent = guarded('ingest: silence', () => give({ kind: 'failed', reason: 'The source stopped sending' }))
  let watchdog = setTimeout(isSilent, firstSilenceMs)

  const acceptInit = () => {
    init = readInit(Buffer.concat(head))
    if (init === undefined) give({ kind: 'failed', reason: 'The source has no video' })
    else if (isOutdated?.() === true) give({ kind: 'changed' })
    else sink = onInit(init, fail)
    clearTimeout(watchdog)
    watchdog = setTimeout(isSilent, silenceMs)
  }

  const count = ({ frames, duration }: Fragment) => {
    const faded = Math.max(0, 1 - duration / rateSeconds)
    counted = { frames: counted.frames * faded + frames, seconds: counted.seconds * faded + duration }
  }

  const acceptFragment = (bytes: Buffer, { init, sink }: { init: Init; sink: Sink }) => {
    const alone = readFragment(bytes, init)
    soundlessSeconds = alone === undefined || alone.hasSound ? 0 : soundlessSeconds + alone.duration
    if (alone === undefined) {
      sound.push(bytes)
      while (bytesOf(sound) > maxSoundBytes) sound.shift()
      return
    }
    const fragment = hasPicture ? behindSound(alone, sound) : beginning(alone, init)
    hasPicture = true
    sound = []
    count(fragment)
    if (hasOtherParameters(fragment, init)) {
      give({ kind: 'changed' })
      return
    }
    sink.take(fragment, now())
    const ending = sink.ending()
    if (mapsSound === true && soundlessSeconds > maxSoundless) give({ kind: 'soundless' })
    if (ending === 'drifted') give({ kind: 'changed' })
    if (ending === 'noKeyframes') give({ kind: 'failed', reason: 'The source sends no keyframes' })
  }

  const acceptBox = (box: Buffer) => {
    const type = box.toString('latin1', 4, 8)
    if (type === 'ftyp' || type === 'moof') head = []
    head.push(box)
    if (type === 'mdat') {
      const bytes = Buffer.concat(head)
      head = []
      if (init !== undefined && sink !== undefined) acceptFragment(bytes, { init, sink })
      return
    }
    if (bytesOf(head) > maxHeadBytes) throw new ImpossibleBox('A head without an end')
    if (type === 'moov') acceptInit()
  }

  const acceptChunk = (chunk: Buffer) => {
    if (end !== undefined) return
    watchdog.refresh()
    try {
      for (const box of cut(chunk)) if (end === undefined) acceptBox(box)
    } catch (error) {
      // Faults of cameras, and a full disk, go to the stream's log; others are faults of the server.
      if (!(error instanceof ImpossibleBox) && !isDiskError(error)) throw error
      fail(error)
    }
  }

  const reportFault = guarded('ingest: end', (error: unknown) => {
    throw error
  })
  const finish = async (): Promise<void> => {
    clearTimeout(watchdog)
    try {
      await sink?.finish()
    } catch (error) {
      if (!isDiskError(error)) reportFault(error)
      end ??= { kind: 'failed', reason: reasonOf(error) }
    } finally {
      gateway?.close()
    }
  }

  running.child.stdin.end()
  running.child.stdout.on('data', guarded('ingest: output', acceptChunk, fail))
  const ended = running.ended.then(finish).then((): IngestEnd => {
    const otherwise: FailureReason = init === undefined ? 'ProbeError' : 'The connection was lost'
    if (mapsSound === true && init === undefined && lacksSound(running.stderrTail())) end ??= { kind: 'soundless' }
    return end ?? { kind: 'failed', reason: classifyFailure(gateway?.failure(), running.stderrTail(), otherwise) }
  })
  return {
    stop: () => give({ kind: 'stopped' }),
    frameRate: () => (counted.seconds === 0 ? 0 : Math.round((counted.frames / counted.seconds) * 10) / 10),
    ended,
  }
}
