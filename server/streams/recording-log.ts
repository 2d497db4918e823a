import { SlowDisk, type RecorderOptions } from '../archive/recorder.ts'
import { isDiskError } from '../store/disk-error.ts'

const cutLogMs = 60_000

const diskWords = (error: unknown): string => {
  if (error instanceof SlowDisk) return 'The disk is too slow: not everything is recorded'
  if (isDiskError(error)) return 'The disk is full or gone: nothing is recorded'
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return `A segment could not be written (${code})`
}

type RecordingLog = Required<Pick<RecorderOptions, 'onFailure' | 'onCut'>> & {
  onRecorded: () => void
  onClockSetBack: (byMs: number) => void
}

type Write = (level: 'warn' | 'error', message: string) => void

export const createRecordingLog = (write: Write, now: () => number): RecordingLog => {
  let unrecordedSince: number | undefined
  let cutLoggedAt = -Infinity
  return {
    onFailure: (error) => {
      if (unrecordedSince !== undefined) return
      unrecordedSince = now()
      write('error', diskWords(error))
    },
    onRecorded: () => {
      if (unrecordedSince === undefined) return
      const seconds = Math.max(0, Math.round((now() - unrecordedSince) / 1000))
      unrecordedSince = undefined
      write('warn', `Recording again: nothing was recorded for ${seconds} s`)
    },
    onCut: (bytes, seconds) => {
      if (Math.abs(now() - cutLoggedAt) < cutLogMs) return
      cutLoggedAt = now()
      const size = `${Math.round(bytes / 1_000_000)} MB, ${Math.round(seconds)} s`
      write('warn', `No keyframe for too long (${size}): nothing is recorded until the next one`)
    },
    onClockSetBack: (byMs) => {
      const by = `${Math.round(byMs / 1000)} s`
      write('warn', `The clock was set back by ${by}: nothing is recorded for times that something is recorded for`)
    },
  }
}
