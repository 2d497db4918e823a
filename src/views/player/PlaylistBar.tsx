import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import type { PlaybackClock } from '../../api/media/controller/media-controller.ts'
import {
  selectLiveRange,
  selectLoaded,
  selectMode,
  type MediaRef,
  type PlayerRef,
} from '../../machines/player/player.selectors.ts'
import { lengthText } from '../timeline/local-time.ts'
import { gradientOf, shareOf } from './playlist-share.ts'
import styles from './PlaylistBar.module.css'

interface PlaylistBarProps {
  player: PlayerRef
  media: MediaRef
  controller: PlaybackClock
}

const drawEveryMs = 200

/**
 * How much of the loaded video is played and buffered: of the range of the archive, or of the live window. Drawn a few
 * times a second, without React.
 */
export function PlaylistBar({ player, media, controller }: PlaylistBarProps) {
  const { t } = useLingui()
  const bar = useRef<HTMLDivElement>(null)
  const buffered = useRef<HTMLDivElement>(null)
  const played = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const drawn = { at: Number.NEGATIVE_INFINITY, scale: '', gradient: '', lengthSeconds: -1, playedSeconds: -1 }
    let frame = 0
    const draw = (now = performance.now()) => {
      frame = requestAnimationFrame(draw)
      if (now - drawn.at < drawEveryMs) return
      drawn.at = now
      const isLive = selectMode(player.getSnapshot()) === 'live'
      const loaded = selectLoaded(media.getSnapshot())
      const range = isLive && loaded !== null ? selectLiveRange(player.getSnapshot()) : loaded
      const at = controller.positionAt()
      if (bar.current === null || buffered.current === null || played.current === null) return
      bar.current.hidden = range === null || at === null
      if (range === null || at === null) return
      const share = shareOf(range, at, controller.buffered())
      const scale = `scaleX(${share.played.toFixed(4)})`
      if (scale !== drawn.scale) played.current.style.transform = scale
      const gradient = gradientOf(share.buffered, 'var(--buffered)')
      if (gradient !== drawn.gradient) buffered.current.style.backgroundImage = gradient
      const lengthSeconds = Math.round((range.to - range.from) / 1000)
      const playedSeconds = Math.round(share.played * lengthSeconds)
      if (lengthSeconds !== drawn.lengthSeconds || playedSeconds !== drawn.playedSeconds) {
        const [position, length, behind] = [
          lengthText(playedSeconds * 1000),
          lengthText(lengthSeconds * 1000),
          lengthText((lengthSeconds - playedSeconds) * 1000),
        ]
        bar.current.setAttribute('aria-valuemax', String(lengthSeconds))
        bar.current.setAttribute('aria-valuenow', String(playedSeconds))
        bar.current.setAttribute('aria-valuetext', isLive ? t`${behind} behind live` : t`${position} of ${length}`)
      }
      Object.assign(drawn, { scale, gradient, lengthSeconds, playedSeconds })
    }
    draw()
    return () => cancelAnimationFrame(frame)
  }, [player, media, controller, t])

  return (
    <div
      ref={bar}
      role="progressbar"
      className={styles.bar}
      aria-label={t`Playlist`}
      aria-valuemin={0}
      aria-valuemax={0}
      aria-valuenow={0}
      hidden
    >
      <div ref={buffered} className={styles.buffered} />
      <div ref={played} className={styles.played} />
    </div>
  )
}
