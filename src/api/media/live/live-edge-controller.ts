import type { SharedHold } from './live-group.ts'
import { createLiveWatch } from './live-watch.ts'
import type { Engine } from '../engine/engine.ts'
import type { ControllerReport } from '../controller/media-controller.ts'
import type { UtcMap } from '../playlist/utc-map.ts'

/** Whoever comes back to live, or to playing it, goes to its edge from farther than this, seconds. */
const edgeSlackSeconds = 2
/** Less than any jump, seconds. */
const minJump = 3
/** How much farther behind live is held for every time that it ran dry, and at most, seconds. */
const slackPerStall = 0.5
const maxSlack = 4

/** A live picture with what feeds it; `rate` is the one that was asked for. */
export interface LivePicture {
  readonly video: HTMLVideoElement
  readonly engine: Engine
  readonly map: UtcMap
  readonly rate: number
}

/** Holds a live picture at its edge: by a little more speed, or by a jump. */
export interface LiveEdgeController {
  update(picture: LivePicture): void
  returnToEdge(picture: LivePicture): void
  restart(): void
}

/** `share` is of the pictures beside it; null where it plays alone. */
export function createLiveEdgeController(
  tell: (report: ControllerReport) => void,
  share: SharedHold | null = null,
): LiveEdgeController {
  const watch = createLiveWatch()
  const flow = { isThere: false, slack: 0 }
  const liveAt = ({ engine, map }: LivePicture) => {
    const own = engine.liveAt() - flow.slack
    return share === null ? own : own - share((Date.now() - map.toUtc(own)) / 1000)
  }
  // Where only a rate leads, as the engine lets nobody jump past its own edge, no more is asked for than a rate makes
  // up.
  const drift = (picture: LivePicture) => {
    const { video, engine } = picture
    return Math.min(liveAt(picture) - video.currentTime, Math.max(engine.seekRange().end - video.currentTime, minJump))
  }
  /** A line that lets live run dry is given more time. */
  const listen = ({ readyState, seeking }: HTMLVideoElement) => {
    const isThere = readyState >= HTMLMediaElement.HAVE_FUTURE_DATA
    if (flow.isThere && !isThere && !seeking) flow.slack = Math.min(maxSlack, flow.slack + slackPerStall)
    flow.isThere = isThere
  }
  // With a slow server or line, faster playback runs dry near the end of what there is.
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
      if (watch.isTellingDue(performance.now())) tell({ type: 'engine.windowMoved', from: map.from, to: map.to })
      if (video.paused || document.hidden) return
      listen(video)
      const move = watch.update(rate > 1 ? leftToCatchUp(picture) : drift(picture), rate, {
        isLowLatency: engine.isLowLatency(),
        isShared: share !== null,
      })
      if (move.kind === 'reached') tell({ type: 'engine.edgeReached' })
      else if (move.kind === 'rate') engine.setRate(move.rate)
      // A jump of a picture that has run dry would pass for progress, and hide that nothing comes any more.
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
