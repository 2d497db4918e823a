import type { SharedHold } from './live-group.ts'
import { createLiveWatch } from './live-watch.ts'
import type { Engine } from '../engine/engine.ts'
import type { ControllerReport } from '../controller/media-controller.ts'
import type { UtcMap } from '../playlist/utc-map.ts'

/** Returning to live or resuming it jumps to the edge if it is farther away than this, seconds. */
const edgeSlackSeconds = 2
/** Shorter distances aren't worth a jump, seconds. */
const minJump = 3
/** Each stall moves the target this much farther from the edge, up to a maximum, seconds. */
const slackPerStall = 0.5
const maxSlack = 4

/** A live picture and its engine; `rate` as requested. */
export interface LivePicture {
  readonly video: HTMLVideoElement
  readonly engine: Engine
  readonly map: UtcMap
  readonly rate: number
}

/** Keeps a live picture near its edge by a slightly higher rate or by a jump. */
export interface LiveEdgeController {
  update(picture: LivePicture): void
  returnToEdge(picture: LivePicture): void
  restart(): void
}

/** `share`: the common delay of a live group; null for a single picture. */
export function createLiveEdgeController(
  report: (event: ControllerReport) => void,
  share: SharedHold | null = null,
): LiveEdgeController {
  const watch = createLiveWatch()
  const flow = { isThere: false, slack: 0 }
  const liveAt = ({ engine, map }: LivePicture) => {
    const own = engine.liveAt() - flow.slack
    return share === null ? own : own - share((Date.now() - map.toUtc(own)) / 1000)
  }
  // The engine allows no jump past its own edge, so no more is corrected than a rate can make up.
  const drift = (picture: LivePicture) => {
    const { video, engine } = picture
    return Math.min(liveAt(picture) - video.currentTime, Math.max(engine.seekRange().end - video.currentTime, minJump))
  }
  /** Each stall increases the distance from the edge. */
  const listen = ({ readyState, seeking }: HTMLVideoElement) => {
    const isThere = readyState >= HTMLMediaElement.HAVE_FUTURE_DATA
    if (flow.isThere && !isThere && !seeking) flow.slack = Math.min(maxSlack, flow.slack + slackPerStall)
    flow.isThere = isThere
  }
  // On a slow connection, faster playback would stall near the end of the buffer.
  const hasRunOut = ({ video: { readyState, seeking, currentTime }, map }: LivePicture) =>
    readyState < HTMLMediaElement.HAVE_FUTURE_DATA && !seeking && map.to - map.toUtc(currentTime) < minJump * 1000
  /** Seconds that a faster rate can still make up: the engine plays at 1× past its own edge. */
  const leftToCatchUp = (picture: LivePicture) =>
    hasRunOut(picture) ? 0 : Math.min(drift(picture), picture.engine.seekRange().end - picture.video.currentTime)
  const jump = (picture: LivePicture) => {
    const { start, end } = picture.engine.seekRange()
    picture.video.currentTime = Math.max(start, Math.min(liveAt(picture), end))
  }
  return {
    update(picture) {
      const { video, engine, map, rate } = picture
      if (watch.isReportDue(performance.now())) report({ type: 'engine.windowMoved', from: map.from, to: map.to })
      if (video.paused || document.hidden) return
      listen(video)
      const move = watch.update(rate > 1 ? leftToCatchUp(picture) : drift(picture), rate, {
        isLowLatency: engine.isLowLatency(),
        isShared: share !== null,
      })
      if (move.kind === 'reached') report({ type: 'engine.edgeReached' })
      else if (move.kind === 'rate') engine.setRate(move.rate)
      // A jump after a stall would look like progress and hide that nothing arrives any more.
      else if (move.kind === 'jump' && flow.isThere && !video.seeking) {
        engine.setRate(1)
        jump(picture)
      }
    },
    returnToEdge(picture) {
      if (drift(picture) > edgeSlackSeconds) jump(picture)
    },
    restart() {
      watch.restart()
      Object.assign(flow, { isThere: false, slack: 0 })
    },
  }
}
