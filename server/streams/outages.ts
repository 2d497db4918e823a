import { wordsOf, type FailureReason } from '../media/failures.ts'
import { createOutageLog, type OutageLog } from '../outage-log.ts'
import type { SupervisorOptions } from './supervisor-options.ts'

type Options = Pick<SupervisorOptions, 'annotations' | 'backgroundWrites' | 'outageLog' | 'now'>

/** The lines of the server's log about a stream. */
export const createStreamOutageLog = (
  uid: string,
  nameOf: () => string,
  warn: (detail: object, message: string) => void,
  now?: () => number,
): OutageLog =>
  createOutageLog(
    { failed: 'a stream failed', back: 'a stream records again', factsOf: () => ({ uid, name: nameOf() }) },
    warn,
    now,
  )

/** For a substream, whose outages only its stream's log has. */
export const noOutageLog: OutageLog = { failed: () => undefined, ended: () => undefined }

/** Logs a stream's outages and annotates them in the background; an annotation is lost if nothing can be written. */
export const createOutages = (uid: string, { annotations, backgroundWrites, outageLog, now }: Options) => {
  let reason: FailureReason | '' = ''
  let mayBeOpen = true
  const open = (): void => {
    const time = now()
    backgroundWrites.add(() => annotations.openStatus(uid, time))
  }
  const close = (): void => {
    const time = now()
    backgroundWrites.add(() => annotations.closeStatus(uid, time))
  }
  const end = (isRecorded: boolean): void => {
    if (reason === '') return
    reason = ''
    close()
    outageLog.ended(isRecorded)
  }
  const recover = (): void => end(false)
  return {
    /** Why the stream fails now; empty if it doesn't. */
    reason: () => reason,
    /** Ends the outage of a stream that need not be recorded any more. */
    recover,
    /** Ends every outage, also one that an earlier start or another node has annotated. */
    noteRecorded: (): void => {
      if (mayBeOpen && reason === '') close()
      mayBeOpen = false
      end(true)
    },
    fail: (why: FailureReason): void => {
      if (reason === '') open()
      reason = why
      outageLog.failed(wordsOf(why))
    },
    pause: (isPaused: boolean): void => {
      recover()
      if (isPaused) open()
      else close()
    },
  }
}
