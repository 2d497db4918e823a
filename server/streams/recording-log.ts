import type { FeedOptions } from '../archive/recorder/live-feed.ts'
import type { SoundState } from '../ingest/protocol.ts'
import { monotonicNow } from '../monotonic.ts'

/** A missing keyframe is logged once in this time. */
const cutLogMs = 60_000

const diskWords = (reason: string): string => {
  if (reason === 'slow') return 'The disk is too slow: not everything is recorded'
  if (reason === 'full') return 'The disk is full or gone: nothing is recorded'
  return `A segment could not be written (${reason})`
}

/** Callbacks of a recording that write to the log of its stream. */
type RecordingLog = Required<Pick<FeedOptions, 'onFailure' | 'onCut'>> & {
  onRecorded: () => void
  onClockSetBack: (byMs: number) => void
  onSound: (sound: SoundState) => void
}

type Write = (level: 'info' | 'warn' | 'error', message: string) => void

const soundWords: Record<SoundState, string> = {
  away: 'The source sends no sound: recording without it until it comes',
  unusable: 'The source sends no sound that can be decoded: recording without it',
  recorded: 'The source sends sound: recording it',
}

export const createRecordingLog = (write: Write): RecordingLog => {
  let unrecordedSince: number | undefined
  let cutLoggedAt = -Infinity
  return {
    onFailure: (reason) => {
      if (unrecordedSince !== undefined) return
      unrecordedSince = monotonicNow()
      write('error', diskWords(reason))
    },
    onRecorded: () => {
      if (unrecordedSince === undefined) return
      const seconds = Math.round((monotonicNow() - unrecordedSince) / 1000)
      unrecordedSince = undefined
      write('warn', `Recording again: nothing was recorded for ${seconds} s`)
    },
    onCut: (bytes, seconds) => {
      if (monotonicNow() - cutLoggedAt < cutLogMs) return
      cutLoggedAt = monotonicNow()
      const size = `${Math.round(bytes / 1_000_000)} MB, ${Math.round(seconds)} s`
      write('warn', `No keyframe for too long (${size}): nothing is recorded until the next one`)
    },
    onSound: (sound) => write(sound === 'recorded' ? 'info' : 'warn', soundWords[sound]),
    onClockSetBack: (byMs) => {
      const by = `${Math.round(byMs / 1000)} s`
      write('warn', `The clock was set back by ${by}: recording resumes when it has passed the last recorded time`)
    },
  }
}
