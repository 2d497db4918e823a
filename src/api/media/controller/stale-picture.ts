import type { FrameTable } from '../frames/frame-table.ts'

/** A frame on the screen that is older than the playhead's frame by more than this is stale. */
const slackSeconds = 0.1

export interface StalePicture {
  /** True when two checks in a row find a stale frame, and once for each position. `shown`: its media time, seconds. */
  isStale(video: Pick<HTMLVideoElement, 'paused' | 'seeking' | 'currentTime'>, shown: number | null): boolean
}

/**
 * Detects a stale frame of a paused video. If a video is paused while it starts within a segment, Chromium may leave
 * the first frame of the segment on the screen; another seek to the same position draws the right frame.
 */
export function createStalePicture(table: Pick<FrameTable, 'at'>): StalePicture {
  let suspect: number | null = null
  let repaired: number | null = null
  return {
    isStale({ paused, seeking, currentTime }, shown) {
      const due = table.at(currentTime)
      const isBehind = paused && !seeking && shown !== null && due !== undefined && due - shown > slackSeconds
      const isConfirmed = isBehind && suspect === currentTime
      suspect = isBehind ? currentTime : null
      if (!isConfirmed || repaired === currentTime) return false
      repaired = currentTime
      return true
    },
  }
}
