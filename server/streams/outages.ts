import type { AnnotationStore } from '../archive/events/annotations.ts'
import type { BackgroundWrites } from '../store/background-writes.ts'

/** Annotates the outages of a stream in the background; an annotation is lost if nothing can be written. */
export const createOutages = (
  uid: string,
  annotations: AnnotationStore,
  backgroundWrites: BackgroundWrites,
  now: () => number,
) => {
  let reason = ''
  let mayBeOpen = true
  const open = (): void => {
    const time = now()
    backgroundWrites.add(() => annotations.openStatus(uid, time))
  }
  const close = (): void => {
    const time = now()
    backgroundWrites.add(() => annotations.closeStatus(uid, time))
  }
  const recover = (): void => {
    if (reason === '') return
    reason = ''
    close()
  }
  return {
    /** Why the stream fails now; empty if it doesn't. */
    reason: () => reason,
    recover,
    /** Ends every outage, also one that an earlier start or another node has annotated. */
    noteRecorded: (): void => {
      if (mayBeOpen && reason === '') close()
      mayBeOpen = false
      recover()
    },
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
