import { Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { PlaybackClock, PlaybackStats } from '../../api/media/controller/media-controller.ts'
import { formatNumber } from '../../i18n/formats.ts'
import {
  type MediaRef,
  type PlayerRef,
  selectPlayerStream,
  selectRendition,
} from '../../machines/player/player.selectors.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { useRenditionWords } from './rendition-words.ts'
import styles from './Statistics.module.css'

const readEveryMs = 500

export function Statistics({
  player,
  media,
  controller,
  onClose,
}: {
  player: PlayerRef
  media: MediaRef
  controller: PlaybackClock
  onClose: () => void
}) {
  const { t } = useLingui()
  const rendition = useRenditionWords(media)
  const isBurnedIn = useSelector(media, selectRendition) === 'compatible'
  const masks = useSelector(player, selectPlayerStream)?.masks?.length ?? 0
  const [stats, setStats] = useState<PlaybackStats | null>(() => controller.stats())
  useEffect(() => {
    const timer = setInterval(() => setStats(controller.stats()), readEveryMs)
    return () => clearInterval(timer)
  }, [controller])
  const framesPerSecond = stats?.framesPerSecond ?? null
  const size = `${stats?.width ?? 0}×${stats?.height ?? 0}`
  const fps = formatNumber(framesPerSecond ?? 0, { maximumFractionDigits: 2 })
  const resolution = framesPerSecond === null ? size : t`${size}, ${fps} fps`
  const number = (value: number | undefined | null, digits = 0) =>
    formatNumber(value ?? 0, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  const latency = number(stats?.latencySeconds, 1)
  const buffered = number(stats?.bufferedSeconds, 1)
  const dropped = number(stats?.droppedFrames)
  const decoded = number(stats?.decodedFrames)
  const kilobits = number((stats?.bitsPerSecond ?? 0) / 1000)
  const segment = stats?.lastSegment ?? null
  const [kilobytes, milliseconds] = [number((segment?.bytes ?? 0) / 1000), number(segment?.milliseconds)]
  const status = segment?.status ?? 0
  return (
    <section className={styles.panel} aria-label={t`Statistics`}>
      <header className={styles.head}>
        <h2>
          <Trans>Statistics</Trans>
        </h2>
        <IconButton label={t`Close`} variant="overlay" icon={<X size={16} />} onPress={onClose} />
      </header>
      {stats === null ? (
        <p>
          <Trans>Nothing is playing.</Trans>
        </p>
      ) : (
        <dl className={styles.list}>
          {rendition !== null && <Row name={t`Stream`} value={rendition} />}
          {stats.latencySeconds !== null && <Row name={t`Behind live`} value={t`${latency} s`} />}
          <Row name={t`Buffer`} value={t`${buffered} s`} />
          <Row name={t`Frames dropped`} value={t`${dropped} of ${decoded}`} />
          <Row name={t`Resolution`} value={resolution} />
          {masks > 0 && (
            <Row name={t`Privacy masks`} value={isBurnedIn ? t`${masks}, burned in` : t`${masks}, over the picture`} />
          )}
          <Row name={t`Codecs`} value={stats.codecs || '–'} />
          <Row name={t`Bit rate`} value={t`${kilobits} kbit/s`} />
          {segment !== null && (
            <Row
              name={t`Last segment`}
              value={
                status === 0 ? t`No response, ${milliseconds} ms` : t`${status}, ${kilobytes} kB, ${milliseconds} ms`
              }
            />
          )}
          {stats.lastFailure !== null && <Row name={t`Last error`} value={stats.lastFailure} />}
        </dl>
      )}
    </section>
  )
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
