import type { AnnotationStore } from '../archive/annotations.ts'
import { ignoreDiskError } from '../store/database.ts'

/** Annotates the outages of a stream; skipped if the disk is full. `reason`: why its camera fails now, or empty. */
export const createOutages = (uid: string, annotations: AnnotationStore, now: () => number) => {
  let reason = ''
  const open = (): void => ignoreDiskError(() => annotations.openStatus(uid, now()))
  const close = (): void => ignoreDiskError(() => annotations.closeStatus(uid, now()))
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
    pause: (isPaused: boolean): void => {
      recover()
      if (isPaused) open()
      else close()
    },
  }
}
