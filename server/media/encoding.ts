import type { Probe } from '../../src/api/contract/stream.ts'

/** `pixelFormat` decides whether browsers play its H.264 unchanged. */
export type SourceTrack = Probe['tracks'][number] & { pixelFormat?: string }

/** The tracks of a source. `hasFarKeyframes`: the probe waited for a keyframe, so the ingest must wait, too. */
export type Tracks = { format: string; tracks: SourceTrack[]; hasFarKeyframes: boolean }

export type Recipe = { video: 'copy' | 'encode'; audio: 'copy' | 'encode' | 'silence' | 'none' }

const playableFormats = new Set(['yuv420p', 'yuvj420p', ''])

/**
 * Copies what every browser plays: H.264 in 4:2:0 with 8 bits, AAC. After runs with sound (`hadSound`), a run without
 * gets silence, so that players don't fail on the change.
 */
export const recipeFor = ({ tracks }: Tracks, hadSound: boolean): Recipe => {
  const video = tracks.find((track) => track.type === 'video')
  const audio = tracks.find((track) => track.type === 'audio')
  const isPlayable = video?.codec === 'h264' && playableFormats.has(video.pixelFormat ?? '')
  return {
    video: isPlayable ? 'copy' : 'encode',
    audio: audio === undefined ? (hadSound ? 'silence' : 'none') : audio.codec === 'aac' ? 'copy' : 'encode',
  }
}

export const h264Arguments = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p']

/** A keyframe every second of presentation time, at any frame rate. */
const everySecond = ['-force_key_frames', 'expr:gte(t,n_forced)', '-sc_threshold', '0']

/** Fragmented MP4 on stdout, one fragment a keyframe. The fixed time scale lets downloads join runs. */
export const fragmentArguments = [
  '-video_track_timescale',
  '90000',
  '-f',
  'mp4',
  '-movflags',
  '+cmaf+frag_keyframe+empty_moov+delay_moov+default_base_moof+frag_discont+skip_trailer',
  '-flush_packets',
  '1',
  'pipe:1',
]

/** Part length; no multiple of the usual frame intervals, so that all parts are equal. */
export const partSeconds = 0.35

/** Fragments per keyframe and part, so that with far keyframes fragments stay short and memory small. */
export const partArguments = ['-frag_duration', String(partSeconds * 1_000_000), ...fragmentArguments]

const videoArguments: Record<Recipe['video'], string[]> = {
  copy: ['-c:v', 'copy'],
  encode: [...h264Arguments, ...everySecond, '-vf', "scale='min(1920,iw)':-2"],
}

const audioArguments: Record<Recipe['audio'], string[]> = {
  copy: ['-map', '0:a:0', '-c:a', 'copy', '-bsf:a', 'aac_adtstoasc'],
  encode: ['-map', '0:a:0', '-c:a', 'aac', '-b:a', '64k', '-ac', '1', '-ar', '48000'],
  silence: ['-map', '1:a:0', '-c:a', 'aac', '-b:a', '32k', '-shortest'],
  none: [],
}

const quickAnalysis = ['-probesize', '1000000', '-analyzeduration', '2000000']

/** For keyframes a minute apart. Ends at the keyframe; of MPEG-TS only if one programme table suffices. */
export const patientAnalysis = (format: string): string[] => [
  '-probesize',
  '20000000',
  '-analyzeduration',
  '75000000',
  ...(format === 'mpegts' ? ['-scan_all_pmts', '0'] : []),
]

export const ingestArguments = (input: readonly string[], recipe: Recipe, tracks: Tracks): string[] => [
  '-nostdin',
  '-v',
  'error',
  ...(tracks.hasFarKeyframes ? patientAnalysis(tracks.format) : quickAnalysis),
  ...input,
  ...(recipe.audio === 'silence' ? ['-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=mono'] : []),
  '-map',
  '0:v:0',
  ...videoArguments[recipe.video],
  ...audioArguments[recipe.audio],
  ...partArguments,
]
