import { serverNow } from '../../server-time.ts'
import type { GroupDelay } from './live-group.ts'
import { createLiveSlack } from './live-slack.ts'
import { createLiveWatch } from './live-watch.ts'
import type { Engine } from '../engine/engine.ts'
import { secondsAhead } from '../frames/picture.ts'
import type { ControllerReport } from '../controller/media-controller.ts'
import type { UtcMap } from '../playlist/utc-map.ts'

/** Going live or resuming live jumps to the edge if it is farther away than this. */
const edgeSlackSeconds = 2
/** An edge this near isn't worth a jump. */
const nearEdgeSeconds = 3

/** A live picture and its engine; `rate` as requested. */
export interface LivePicture {
  readonly video: HTMLVideoElement
  readonly engine: Engine
  readonly map: UtcMap
  readonly rate: number
}

/** Keeps a live picture near its edge by small changes of the rate or by a jump. */
export interface LiveEdgeController {
  /** To be called a few times a second. */
  update(picture: LivePicture): void
  /** Jumps to the edge if the picture is far from it. */
  returnToEdge(picture: LivePicture): void
  /** Called when another source loads or the requested rate changes. */
  restart(): void
}

/** `groupDelay`: of a picture in a live group; null for a single picture. */
export function createLiveEdgeController(
  report: (report: ControllerReport) => void,
  groupDelay: GroupDelay | null = null,
): LiveEdgeController {
  const watch = createLiveWatch()
  const slack = createLiveSlack()
  /** The position at which the picture should play now, in media seconds. */
  const liveAt = ({ engine, map }: LivePicture) => {
    const own = engine.liveAt() - slack.seconds()
    return groupDelay === null ? own : own - groupDelay((serverNow() - map.toUtc(own)) / 1000)
  }
  /**
   * Seconds that the picture is behind its position. A jump past the engine's own edge is impossible, so the drift ends
   * at that edge, or near it at a drift that the rate corrects.
   */
  const drift = (picture: LivePicture) => {
    const { video, engine } = picture
    return Math.min(
      liveAt(picture) - video.currentTime,
      Math.max(engine.seekRange().end - video.currentTime, nearEdgeSeconds),
    )
  }
  const hasDataOf = ({ readyState }: HTMLVideoElement) => readyState >= HTMLMediaElement.HAVE_FUTURE_DATA
  const updateSlack = (picture: LivePicture, time: number) => {
    const { video } = picture
    const ahead = video.currentTime + secondsAhead(video) - liveAt(picture)
    slack.update({ hasData: hasDataOf(video), isSeeking: video.seeking, ahead, time })
  }
  /** The buffer has run out near the end of the playlist: faster playback would only stall again. */
  const hasRunOut = ({ video, map }: LivePicture) =>
    !hasDataOf(video) && !video.seeking && map.to - map.toUtc(video.currentTime) < nearEdgeSeconds * 1000
  /** Seconds that playback faster than 1× can still gain; past its own edge the engine plays at 1×. */
  const leftToCatchUp = (picture: LivePicture) =>
    hasRunOut(picture) ? 0 : Math.min(drift(picture), picture.engine.seekRange().end - picture.video.currentTime)
  const jump = (picture: LivePicture) => {
    const { start, end } = picture.engine.seekRange()
    picture.video.currentTime = Math.max(start, Math.min(liveAt(picture), end))
  }
  return {
    update(picture) {
      const { video, engine, map, rate } = picture
      const time = performance.now()
      if (watch.isReportDue(time)) report({ type: 'engine.windowMoved', from: map.from, to: map.to })
      if (video.paused || document.hidden) return
      updateSlack(picture, time)
      const move = watch.update(rate > 1 ? leftToCatchUp(picture) : drift(picture), rate, {
        isLowLatency: engine.isLowLatency(),
        isInGroup: groupDelay !== null,
      })
      if (move.kind === 'reached') report({ type: 'engine.edgeReached' })
      else if (move.kind === 'rate') engine.setRate(move.rate)
      // A jump during a stall would look like progress and hide that no data arrives.
      else if (move.kind === 'jump' && hasDataOf(video) && !video.seeking) {
        engine.setRate(1)
        jump(picture)
      }
    },
    returnToEdge(picture) {
      if (drift(picture) > edgeSlackSeconds) jump(picture)
    },
    restart() {
      watch.restart()
      slack.restart()
    },
  }
}
