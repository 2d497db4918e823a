import type { Probe } from '../../src/api/contract/stream.ts'

/** `profile`: that of AAC says whether browsers decode it. */
export type SourceTrack = Probe['tracks'][number] & { profile?: string | undefined }

/**
 * The tracks of a source. `hasFarKeyframes`: the probe had to wait for a keyframe, so the ingest must wait, too.
 * `offer`: the offer of the source when the tracks were found. `sound`: why sound isn't recorded: it has stopped, or it
 * can't be decoded.
 */
export type Tracks = {
  format: string
  tracks: SourceTrack[]
  hasFarKeyframes: boolean
  offer?: string | undefined
  sound?: 'away' | 'unusable' | undefined
}

/** How the tracks of a source are recorded. */
export type Recipe = {
  video: 'copy' | 'copyH265' | 'encode'
  audio: 'copy' | 'encode' | 'silence' | 'none'
  /** MJPEG has no usable timestamps: a picture gets the time of its arrival. */
  isTimedByArrival: boolean
  sampleRate: number
  /** The codecs of the source, for the log. */
  from: { video: string; audio: string }
}

/** The sample rate of sound that is encoded again. */
export const encodedRate = 48_000

const playableAac = new Set(['LC', 'HE-AAC', 'HE-AACv2', ''])

/** ffmpeg reports no codec that it can't decode, and no sample rate if it found no sound. */
const isDecodable = ({ codec, sampleRate }: SourceTrack): boolean =>
  codec !== '' && codec !== 'none' && sampleRate !== undefined

/**
 * Copies what HLS supports: H.264 and H.265 as the camera sends them, and AAC. After runs with sound (`hadSound`) a run
 * without sound gets silence, as players fail when sound ends.
 */
export const recipeFor = ({ tracks, sound }: Tracks, hadSound: boolean): Recipe => {
  const video = tracks.find((track) => track.type === 'video')
  const audio = sound === undefined ? tracks.find((track) => track.type === 'audio' && isDecodable(track)) : undefined
  const videoMode = video?.codec === 'h264' ? 'copy' : video?.codec === 'hevc' ? 'copyH265' : 'encode'
  const isTimedByArrival = video?.codec === 'mjpeg'
  // Times of arrival are too uneven for copied sound.
  const copiesSound = audio?.codec === 'aac' && playableAac.has(audio.profile ?? '') && !isTimedByArrival
  return {
    video: videoMode,
    audio: audio === undefined ? (hadSound ? 'silence' : 'none') : copiesSound ? 'copy' : 'encode',
    isTimedByArrival,
    sampleRate: audio?.sampleRate ?? encodedRate,
    from: { video: video?.codec ?? '', audio: audio?.codec ?? '' },
  }
}

export const h264Arguments = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p']

/** A keyframe every second of presentation time, at any frame rate. */
const everySecond = ['-force_key_frames', 'expr:gte(t,n_forced)', '-sc_threshold', '0']

const videoTimescale = 90_000

/** MP4 on stdin, which can name no other source. */
export const mp4FromPipe = ['-f', 'mp4', '-protocol_whitelist', 'pipe', '-i', 'pipe:0']

/** Fragmented MP4 on stdout, one fragment a keyframe. The fixed time scale lets downloads join runs. */
export const fragmentArguments = [
  '-video_track_timescale',
  String(videoTimescale),
  '-f',
  'mp4',
  '-movflags',
  '+cmaf+frag_keyframe+empty_moov+delay_moov+default_base_moof+frag_discont+skip_trailer',
  '-flush_packets',
  '1',
  'pipe:1',
]

/**
 * The least length of a part, unless a keyframe ends it earlier: no multiple of the usual frame intervals, so that all
 * parts have the same number of frames.
 */
export const partSeconds = 0.35

/** Pictures wait this long for later sound, and no longer if it stops. */
const maxInterleavedSeconds = 1

/** A fragment for each keyframe and each part, so that fragments stay short when keyframes are far apart. */
export const partArguments = ['-frag_duration', String(partSeconds * 1_000_000), ...fragmentArguments]

/** Seconds by which timestamps go back, or run ahead of the clock, from which on this counts as a leap. */
const minLeap = { back: 0.5, ahead: 1.5 }

/** ffmpeg's names of the times. `unit`: that of `time`, in seconds. */
type TimeNames = { time: string; before: string; result: string; isFirst: string; unit: string }

/**
 * An expression of ffmpeg that replaces a leap of a camera's timestamps by the last interval. A real pause is no
 * leap, as it takes as long on the clock. Register 0 has the clock at the last packet, 1 the last interval of the
 * timestamps, 2 the time on the clock since the last packet.
 */
const withoutLeaps = ({ time, before, result, isFirst, unit }: TimeNames): string => {
  const step = `${time}-${before}`
  const isUsual = `between((${step})*${unit},${-minLeap.back},${minLeap.ahead}+2*ld(2))`
  return `st(2,time(0)-ld(0));st(0,time(0));if(${isFirst},${time},${result}+if(${isUsual},st(1,${step}),ld(1)))`
}

/** Uses the time scale of the recorded track, as ffmpeg's TB is that of the source. */
const packetTimes = (timescale: number): string =>
  withoutLeaps({
    time: 'DTS',
    before: 'PREV_INDTS',
    result: 'PREV_OUTDTS',
    isFirst: 'eq(PREV_OUTDTS,NOPTS)',
    unit: `1/${timescale}`,
  })
const frameTimes = withoutLeaps({
  time: 'PTS',
  before: 'PREV_INPTS',
  result: 'PREV_OUTPTS',
  isFirst: 'isnan(PREV_OUTPTS)',
  unit: 'TB',
})
const steadyPictures = `setts=dts='${packetTimes(videoTimescale)}':pts='${packetTimes(videoTimescale)}+PTS-DTS'`

const videoArguments: Record<Recipe['video'], string[]> = {
  copy: ['-c:v', 'copy', '-bsf:v', steadyPictures],
  copyH265: ['-c:v', 'copy', '-tag:v', 'hvc1', '-bsf:v', steadyPictures],
  encode: [
    ...h264Arguments,
    ...everySecond,
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    '1:90000',
    '-vf',
    // 4:2:0 has even sizes only.
    `setpts='${frameTimes}',scale='2*trunc(min(1920,iw)/2)':-2`,
  ],
}

/** If announced sound never comes, ffmpeg ends after this many pictures instead of holding them for ever. */
const muxingQueueLimits = ['-max_muxing_queue_size', '250', '-muxing_queue_data_threshold', '1']

const encodedSound = ['-map', '0:a:0', '-c:a', 'aac', '-b:a', '64k', '-ac', '1', '-ar', String(encodedRate)]

const audioArguments = ({ audio, sampleRate }: Recipe): string[] => {
  if (audio === 'none') return []
  if (audio === 'silence') return ['-map', '1:a:0', '-c:a', 'aac', '-b:a', '32k', '-shortest']
  if (audio === 'encode') {
    return [...encodedSound, '-af', `asetpts='${frameTimes}',aresample=async=1000`, ...muxingQueueLimits]
  }
  return ['-map', '0:a:0', '-c:a', 'copy', '-bsf:a', `aac_adtstoasc,setts=ts='${packetTimes(sampleRate)}'`]
}

const quickAnalysis = ['-probesize', '1000000', '-analyzeduration', '2000000']

/** For keyframes up to a minute apart. The analysis ends at the keyframe; with MPEG-TS only if one PMT suffices. */
export const patientAnalysis = (format: string): string[] => [
  '-probesize',
  '20000000',
  '-analyzeduration',
  '75000000',
  ...(format === 'mpegts' ? ['-scan_all_pmts', '0'] : []),
]

/** By default ffmpeg begins three segments back and reads them at full speed: their times of arrival are too late. */
const newestSegment = ['-live_start_index', '-1']

export const ingestArguments = (input: readonly string[], recipe: Recipe, tracks: Tracks): string[] => [
  '-nostdin',
  '-v',
  'error',
  ...(tracks.hasFarKeyframes ? patientAnalysis(tracks.format) : quickAnalysis),
  ...(recipe.isTimedByArrival ? ['-use_wallclock_as_timestamps', '1'] : []),
  ...(tracks.format === 'hls' ? newestSegment : []),
  ...input,
  ...(recipe.audio === 'silence' ? ['-f', 'lavfi', '-i', `anullsrc=r=${encodedRate}:cl=mono`] : []),
  '-map',
  '0:v:0',
  ...videoArguments[recipe.video],
  ...audioArguments(recipe),
  '-max_interleave_delta',
  String(maxInterleavedSeconds * 1_000_000),
  ...partArguments,
]
