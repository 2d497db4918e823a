import type { FrameTable } from '../frames/frame-table.ts'

/** A paused picture this far behind the playhead is stale, not about to be drawn. */
const slackSeconds = 0.1

export interface StalePicture {
  /** True on the second check in a row that finds a frame older than the playhead's; once per position. */
  isStale(video: Pick<HTMLVideoElement, 'paused' | 'seeking' | 'currentTime'>, shown: number | null): boolean
}

/**
 * Detects a stale frame of a paused video. Chromium may leave the first frame of a segment on the screen when a video
 * is paused while it opens in the middle of one; another seek to the same position draws the right frame.
 */
export function createStalePicture(table: Pick<FrameTable, 'at'>): StalePicture {
  let suspect: number | null = null
  let repaired: number | null = null
  return {
    isStale({ paused, seeking, currentTime }, shown) {
      const due = table.at(currentTime)
      const isBehind = paused && !seeking && shown !== null && due !== undefined && due - shown > slackSeconds
      const isSure = isBehind && suspect === currentTime
      suspect = isBehind ? currentTime : null
      if (!isSure || repaired === currentTime) return false
      repaired = currentTime
      return true
    },
  }
}
