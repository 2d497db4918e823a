import { useLingui } from '@lingui/react/macro'
import { AudioLines, CircleHelp, Video } from 'lucide-react'
import type { Track } from '../../api/contract/stream.ts'
import { formatNumber } from '../../i18n/formats.ts'
import { codecName } from '../../machines/stream-pages/codec-names.ts'
import styles from './Tracks.module.css'

/** Codecs that all supported browsers play. */
const universalCodecs = new Set(['H.264', 'AAC'])

/** Formats bits per second as `3.2 Mbit/s`. */
export function useBitrate(): (bitrate: number) => string {
  const { t } = useLingui()
  return (bitrate) => {
    const kilo = formatNumber(bitrate / 1000, { maximumFractionDigits: 0 })
    const mega = formatNumber(bitrate / 1_000_000, { maximumFractionDigits: 1 })
    return bitrate < 1_000_000 ? t`${kilo} kbit/s` : t`${mega} Mbit/s`
  }
}

export function Tracks({ tracks }: { tracks: readonly Track[] }) {
  const { t } = useLingui()
  if (tracks.length === 0) return <p>{t`The source has no tracks.`}</p>
  return (
    <ul className={styles.tracks}>
      {tracks.map((track, index) => (
        <li key={`${index} ${track.type} ${track.codec}`}>
          <TrackLine track={track} />
        </li>
      ))}
    </ul>
  )
}

function TrackLine({ track }: { track: Track }) {
  const { t } = useLingui()
  const bitrate = useBitrate()
  const { type, codec, width, height, fps, sampleRate } = track
  const frames = fps === undefined ? '' : formatNumber(fps, { maximumFractionDigits: 2 })
  const kilohertz = sampleRate === undefined ? '' : formatNumber(sampleRate / 1000, { maximumFractionDigits: 1 })
  const name = codecName(codec)
  const parts = [
    name,
    width !== undefined && height !== undefined && `${width}×${height}`,
    frames !== '' && t`${frames} fps`,
    kilohertz !== '' && t`${kilohertz} kHz`,
    track.bitrate !== undefined && track.bitrate > 0 && bitrate(track.bitrate),
  ].filter((part) => typeof part === 'string' && part !== '')
  return (
    <>
      <TrackIcon type={type} />
      <span>
        <strong>{type === 'video' ? t`Video` : type === 'audio' ? t`Sound` : type}</strong> {parts.join(', ')}
        {type === 'video' && name === 'H.265' && (
          <span className={styles.note}>{t`Not every browser plays H.265.`}</span>
        )}
        {type === 'video' && universalCodecs.has(name) && (
          <span className={styles.note}>{t`All browsers play this.`}</span>
        )}
      </span>
    </>
  )
}

function TrackIcon({ type }: { type: string }) {
  if (type === 'video') return <Video size={16} aria-hidden="true" />
  return type === 'audio' ? <AudioLines size={16} aria-hidden="true" /> : <CircleHelp size={16} aria-hidden="true" />
}
