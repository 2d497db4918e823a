import type { FrameWatch } from '../frames/frames.ts'
import { insideSeconds } from './step-frame.ts'

/** Frames nearer to each other than this are the same one. */
const sameSeconds = 0.001

export interface RestingPicture {
  /**
   * The position to seek to, in media seconds, when two checks in a row find that a paused video may not show the frame
   * whose time the clock shows; once for each frame, otherwise null. `isHeld`: the video is paused only until others
   * with the same clock are ready.
   */
  correction(
    video: Pick<HTMLVideoElement, 'paused' | 'seeking' | 'currentTime'>,
    frames: Pick<FrameWatch, 'mediaTime' | 'reportedFrame' | 'soughtFrame' | 'isExact'>,
    isHeld: boolean,
  ): number | null
}

/**
 * After a pause some browsers show a frame before or after the one they report, and Chromium may leave the first frame
 * of a segment on the screen. Only a seek shows the right frame for certain: it is made where the report isn't exact or
 * is of another frame.
 */
export function createRestingPicture(): RestingPicture {
  /** The playhead at the last check, if that check found fault; the frame that was corrected last. */
  let suspect: number | null = null
  let corrected: number | null = null
  return {
    correction({ paused, seeking, currentTime }, frames, isHeld) {
      if (!paused) corrected = null
      const due = frames.mediaTime()
      const reported = frames.reportedFrame()
      if (!paused || seeking || due === null || reported === null) {
        suspect = null
        return null
      }
      const isOther = Math.abs(due - reported) > sameSeconds
      const isUnsure = !isHeld && !frames.isExact() && frames.soughtFrame() === null
      const isConfirmed = suspect === currentTime
      suspect = isOther || isUnsure ? currentTime : null
      if (suspect === null || !isConfirmed || corrected === due) return null
      corrected = due
      return due + insideSeconds
    },
  }
}
