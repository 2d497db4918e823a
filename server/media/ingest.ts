import { isOfDisk } from '../store/database.ts'
import { createBoxCutter } from './boxes.ts'
import { classifyFailure, type FailureReason } from './failures.ts'
import { hasOtherParameters, readFragment, readInit, type Fragment, type Init } from './fragments.ts'
import type { Gateway } from './gateway.ts'
import { startTool } from './process.ts'

/** What takes the fragments of one connection. */
export type Sink = {
  take: (fragment: Fragment, arrivedAt: number) => void
  finish: () => Promise<void>
  isAstray: () => boolean
}

export type IngestOptions = {
  /** All of ffmpeg's arguments; it must write fragmented MP4 to stdout. */
  args: readonly string[]
  gateway?: Gateway
  now: () => number
  onInit: (init: Init) => Sink
}

/** Why an ingest ended: it was stopped, the source must be asked anew what it carries, or it failed. */
export type IngestEnd = { kind: 'stopped' } | { kind: 'changed' } | { kind: 'failed'; reason: FailureReason }

export type Ingest = { stop: () => void; ended: Promise<IngestEnd> }

const silenceMs = 20_000
/** Fragments of sound that wait for a picture to go with; a slow camera's pictures are farther apart than its parts. */
const mostSound = 50

const behindSound = (fragment: Fragment, sound: readonly Buffer[]): Fragment => {
  if (sound.length === 0) return fragment
  const { picture } = fragment
  const moved = sound.reduce((sum, each) => sum + each.length, 0)
  return { ...fragment, bytes: Buffer.concat([...sound, fragment.bytes]), picture: { ...picture, offset: picture.offset + moved } }
}

/** Runs one ffmpeg and cuts its output into fragments. It dies with its pipe: if this process is killed, so is it. */
export const startIngest = (options: IngestOptions): Ingest => {
  const running = startTool(
    'ffmpeg',
    options.args,
    options.gateway === undefined ? {} : { gateway: options.gateway },
  )
  const cut = createBoxCutter()
  let end: IngestEnd | undefined
  let head: Buffer[] = []
  let init: Init | undefined
  let sink: Sink | undefined
  let sound: Buffer[] = []

  const give = (why: IngestEnd) => {
    end ??= why
    running.kill()
  }
  const watchdog = setTimeout(() => give({ kind: 'failed', reason: 'The source stopped sending' }), silenceMs)

  const takeBox = (box: Buffer, arrivedAt: number) => {
    const type = box.toString('latin1', 4, 8)
    if (type === 'ftyp' || type === 'moof') head = [box]
    else head.push(box)
    if (type === 'moov') {
      init = readInit(Buffer.concat(head))
      if (init === undefined) give({ kind: 'failed', reason: 'The source has no video' })
      else sink = options.onInit(init)
    }
    if (type !== 'mdat' || init === undefined) return
    const bytes = Buffer.concat(head)
    const alone = readFragment(bytes, init)
    if (alone === undefined) {
      sound = [...sound.slice(-mostSound), bytes]
      return
    }
    const fragment = behindSound(alone, sound)
    sound = []
    if (hasOtherParameters(fragment, init)) give({ kind: 'changed' })
    else sink?.take(fragment, arrivedAt)
    if (sink?.isAstray() === true) give({ kind: 'changed' })
  }

  running.child.stdin.end()
  running.child.stdout.on('data', (chunk: Buffer) => {
    if (end !== undefined) return
    watchdog.refresh()
    try {
      for (const box of cut(chunk)) takeBox(box, options.now())
    } catch (error) {
      give({ kind: 'failed', reason: isOfDisk(error) ? 'The disk is full' : 'ProbeError' })
    }
  })

  const ended = running.ended.then(async (): Promise<IngestEnd> => {
    clearTimeout(watchdog)
    await sink?.finish()
    const otherwise: FailureReason = init === undefined ? 'ProbeError' : 'The connection was lost'
    const reason = classifyFailure(options.gateway?.failure(), running.complaints(), otherwise)
    options.gateway?.close()
    return end ?? { kind: 'failed', reason }
  })
  return { stop: () => give({ kind: 'stopped' }), ended }
}
