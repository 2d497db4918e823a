import type { AnnotationStore } from '../archive/annotations.ts'
import { whereWritable } from '../store/database.ts'

/**
 * When a stream was down, noted along its time. What the disk has no room for stays unnoted. `reason` is why its camera
 * fails just now, empty while it doesn't.
 */
export const createOutages = (uid: string, annotations: AnnotationStore, now: () => number) => {
  let reason = ''
  const open = (): void => whereWritable(() => annotations.openStatus(uid, now()))
  const close = (): void => whereWritable(() => annotations.closeStatus(uid, now()))
  /** The camera no longer fails. */
  const recover = (): void => {
    if (reason === '') return
    reason = ''
    close()
  }
  return {
    reason: () => reason,
    recover,
    fail: (why: string): void => {
      if (reason === '') open()
      reason = why
    },
    /** It is stopped, or goes on, on purpose. */
    pause: (isPaused: boolean): void => {
      recover()
      if (isPaused) open()
      else close()
    },
  }
}
