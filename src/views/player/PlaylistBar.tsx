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

/** Drawn a few times a second, without React, as the badge's clock is (docs/behaviour.md §7, progress bar). */
export function PlaylistBar({ player, media, controller }: PlaylistBarProps) {
  const { t } = useLingui()
  const bar = useRef<HTMLDivElement>(null)
  const buffered = useRef<HTMLDivElement>(null)
  const played = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const drawn = { at: Number.NEGATIVE_INFINITY, width: '', gradient: '', lengthSec: -1, playedSec: -1 }
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
      const width = `scaleX(${share.played.toFixed(4)})`
      if (width !== drawn.width) played.current.style.transform = width
      const gradient = gradientOf(share.buffered, 'var(--buffered)')
      if (gradient !== drawn.gradient) buffered.current.style.backgroundImage = gradient
      const lengthSec = Math.round((range.to - range.from) / 1000)
      const playedSec = Math.round(share.played * lengthSec)
      if (lengthSec !== drawn.lengthSec || playedSec !== drawn.playedSec) {
        const [done, whole, behind] = [
          lengthText(playedSec * 1000),
          lengthText(lengthSec * 1000),
          lengthText((lengthSec - playedSec) * 1000),
        ]
        bar.current.setAttribute('aria-valuemax', String(lengthSec))
        bar.current.setAttribute('aria-valuenow', String(playedSec))
        bar.current.setAttribute('aria-valuetext', isLive ? t`${behind} behind live` : t`${done} of ${whole}`)
      }
      Object.assign(drawn, { width, gradient, lengthSec, playedSec })
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
