import { useLingui } from '@lingui/react/macro'
import { AudioLines, CircleHelp, Video } from 'lucide-react'
import type { Track } from '../../api/contract/stream.ts'
import { formatNumber } from '../../i18n/formats.ts'
import styles from './Tracks.module.css'

const codecs: Readonly<Record<string, string>> = {
  h264: 'H.264',
  avc: 'H.264',
  avc1: 'H.264',
  hevc: 'H.265',
  h265: 'H.265',
  hev1: 'H.265',
  hvc1: 'H.265',
  av1: 'AV1',
  vp8: 'VP8',
  vp9: 'VP9',
  mjpeg: 'Motion JPEG',
  mpeg4: 'MPEG-4',
  mpeg2video: 'MPEG-2',
  aac: 'AAC',
  mp4a: 'AAC',
  mp3: 'MP3',
  mp2: 'MP2',
  opus: 'Opus',
  pcm_alaw: 'G.711 A-law',
  pcm_mulaw: 'G.711 µ-law',
  adpcm_g726: 'G.726',
  ac3: 'AC-3',
}

const everywhere = new Set(['H.264', 'AAC'])

/** The name that people know a codec by; `avc1.42c01e`, as in a playlist, is H.264 too. */
function codecName(codec: string): string {
  const [name = ''] = codec.toLowerCase().split('.')
  return codecs[name] ?? codec.toUpperCase()
}

/** Bits a second as `3.2 Mbit/s`. */
export function useBitrate(): (bitrate: number) => string {
  const { t } = useLingui()
  return (bitrate) => {
    const kilo = formatNumber(bitrate / 1000, { maximumFractionDigits: 0 })
    const mega = formatNumber(bitrate / 1_000_000, { maximumFractionDigits: 1 })
    return bitrate < 1_000_000 ? t`${kilo} kbit/s` : t`${mega} Mbit/s`
  }
}

/** The tracks of a source in plain words. */
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
    frames !== '' && t`${frames} frames a second`,
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
        {type === 'video' && everywhere.has(name) && (
          <span className={styles.note}>{t`Every browser plays this.`}</span>
        )}
      </span>
    </>
  )
}

function TrackIcon({ type }: { type: string }) {
  if (type === 'video') return <Video size={16} aria-hidden="true" />
  return type === 'audio' ? <AudioLines size={16} aria-hidden="true" /> : <CircleHelp size={16} aria-hidden="true" />
}
