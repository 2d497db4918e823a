import type { Probe } from '../../src/api/contract/stream.ts'

/** `pixelFormat` decides whether a browser can play its H.264 as it is. */
export type SourceTrack = Probe['tracks'][number] & { pixelFormat?: string }

/** What a source carries. `hasFarKeyframes`: one had to be waited for, so that whoever connects must be as patient. */
export type Tracks = { format: string; tracks: SourceTrack[]; hasFarKeyframes: boolean }

/** How a source is turned into fragments: whether its pictures and its sound are copied, encoded, or made. */
export type Recipe = { video: 'copy' | 'encode'; audio: 'copy' | 'encode' | 'silence' | 'none' }

const playableFormats = new Set(['yuv420p', 'yuvj420p', ''])

/**
 * Copied is what every browser plays: H.264 in 4:2:0 with 8 bits, AAC. `hadSound` is whether the runs before had sound:
 * then a run without it gets silence, so that players don't stumble over the change.
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

/** A keyframe every second of presentation time, whatever the frame rate. */
const everySecond = ['-force_key_frames', 'expr:gte(t,n_forced)', '-sc_threshold', '0']

/** Fragmented MP4 on stdout, one fragment a keyframe. The fixed time scale lets a download join runs. */
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

/** So many seconds, and what is left of a picture's, are a part of live over HTTP/2: clear of whole pictures of the usual rates, so that all are alike. */
export const partSeconds = 0.35

/**
 * The same, cut into parts as well: for live, and so that no fragment is long. Of a camera whose keyframes are far
 * apart something comes all the time, and little of it waits in memory for the next one.
 */
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

/**
 * For a source whose next keyframe may be a minute away. It ends as soon as one has come; of MPEG-TS only where one
 * table of programmes is enough.
 */
export const patientAnalysis = (format: string): string[] => [
  '-probesize',
  '20000000',
  '-analyzeduration',
  '75000000',
  ...(format === 'mpegts' ? ['-scan_all_pmts', '0'] : []),
]

/** The whole command line of one ingest; `input` ends with the address. */
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
