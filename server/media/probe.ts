import * as z from 'zod/mini'
import { guarded } from '../guarded.ts'
import { resolveHost, ConnectFailure } from './address.ts'
import { classifyFailure, type FailureReason } from './failures.ts'
import { patientAnalysis, type SourceTrack, type Tracks } from './encoding.ts'
import { openInput } from './input.ts'
import { jpegScale } from './picture.ts'
import type { Tool } from './process.ts'
import { runTool } from './run-tool.ts'
import { createSlots, type Slots } from './slots.ts'
import type { NetworkSource } from './source.ts'
import { parseJson } from '../parse-json.ts'

const Report = z.object({
  format: z.object({ format_name: z.string() }),
  streams: z.array(
    z.object({
      codec_type: z.optional(z.string()),
      codec_name: z.optional(z.string()),
      profile: z.optional(z.string()),
      width: z.optional(z.number()),
      height: z.optional(z.number()),
      avg_frame_rate: z.optional(z.string()),
      sample_rate: z.optional(z.string()),
      bit_rate: z.optional(z.string()),
    }),
  ),
})

const positive = (text: string | number | undefined): number | undefined => {
  const value = Number(text)
  return Number.isFinite(value) && value > 0 ? value : undefined
}

const framesPerSecond = (text: string | undefined): number | undefined => {
  const [over = '', under = '1'] = (text ?? '').split('/')
  const value = Number(over) / Number(under)
  return Number.isFinite(value) && value > 0 ? Math.round(value * 1000) / 1000 : undefined
}

/** Omits undefined values, as `exactOptionalPropertyTypes` requires. */
const withoutUndefined = <T extends object>(values: { [K in keyof T]: T[K] | undefined }): Partial<T> => {
  const result: Partial<T> = {}
  for (const key in values) {
    const value = values[key]
    if (value !== undefined) result[key] = value
  }
  return result
}

/**
 * Who needs a probe or picture. People share bounded slots; a connecting stream waits only for other connecting
 * streams.
 */
export type Requester = { kind: 'person'; caller: string } | { kind: 'stream'; uid: string; hasFailed: boolean }

const people = createSlots({ queue: 'probes', size: 4, runningEach: 2, waiting: 64, waitingEach: 16 })
const connecting = createSlots({ queue: 'probes', size: 4 })
const failed = createSlots({ queue: 'probes', size: 4 })

const quickAnalysis = ['-probesize', '2000000', '-analyzeduration', '4000000']
const quickMs = 30_000

const inSlot = <T>(requester: Requester, signal: AbortSignal, work: () => Promise<T>): ReturnType<typeof work> => {
  const slots: Slots = requester.kind === 'person' ? people : requester.hasFailed ? failed : connecting
  const caller = requester.kind === 'person' ? requester.caller : requester.uid
  return slots({ callers: () => [caller], signal }, work)
}

/**
 * Why a host can't be connected to; undefined if it can. Gives up a slow lookup when aborted, so that it holds no slot.
 */
const hostFailure = (host: string, allowLoopback: boolean, signal: AbortSignal): Promise<FailureReason | undefined> =>
  new Promise((resolve) => {
    const giveUp = guarded('probe: give up', () => resolve('EHOSTUNREACH'))
    signal.addEventListener('abort', giveUp, { once: true })
    resolveHost(host, allowLoopback)
      .then(
        () => resolve(undefined),
        (error: unknown) => resolve(error instanceof ConnectFailure ? error.code : 'EHOSTUNREACH'),
      )
      .finally(() => signal.removeEventListener('abort', giveUp))
      .catch(() => undefined)
  })

/** Runs a tool on a source, once its host is checked. */
const runOnSource = async (
  source: NetworkSource,
  allowLoopback: boolean,
  signal: AbortSignal,
  call: { tool: Tool; before: readonly string[]; after: readonly string[]; wallClockMs: number; maxBytes: number },
): Promise<Buffer | FailureReason> => {
  const failure = await hostFailure(source.host, allowLoopback, signal)
  if (failure !== undefined) return failure
  const { args, gateway } = await openInput(source, allowLoopback)
  try {
    if (signal.aborted) return 'EHOSTUNREACH'
    const { tool, before, after, wallClockMs, maxBytes } = call
    const limits = { gateway, wallClockMs, maxBytes, signal }
    const { output, stderrTail } = await runTool(tool, [...before, ...args, ...after], limits)
    return output ?? classifyFailure(gateway.failure(), stderrTail, 'ProbeError')
  } finally {
    gateway.close()
  }
}

/** `analysis`: how long ffprobe reads, as options; `limitMs`: when it is killed. */
type Inspection = { analysis: readonly string[]; limitMs: number }

/** `hasKeyframe`: false if no keyframe has arrived, and so the size of the pictures is unknown. */
type Inspected = Omit<Tracks, 'hasFarKeyframes'> & { hasKeyframe: boolean }

const inspect = async (
  source: NetworkSource,
  allowLoopback: boolean,
  signal: AbortSignal,
  { analysis, limitMs }: Inspection,
): Promise<Inspected | FailureReason> => {
  const output = await runOnSource(source, allowLoopback, signal, {
    tool: 'ffprobe',
    before: ['-v', 'error', ...analysis, '-of', 'json', '-show_format', '-show_streams'],
    after: [],
    wallClockMs: limitMs,
    maxBytes: 1_000_000,
  })
  if (typeof output === 'string') return output
  const report = readReport(output)
  if (report === undefined) return 'ProbeError'
  const tracks = report.streams.map(trackOf)
  const video = tracks.find((track) => track.type === 'video')
  if (video === undefined) return 'The source has no video'
  return { format: report.format.format_name, tracks, hasKeyframe: video.width !== undefined }
}

const trackOf = (each: z.output<typeof Report>['streams'][number]): SourceTrack => ({
  type: each.codec_type ?? '',
  codec: each.codec_name ?? '',
  ...withoutUndefined<Pick<SourceTrack, 'width' | 'height' | 'fps' | 'sampleRate' | 'bitrate' | 'profile'>>({
    width: positive(each.width),
    height: positive(each.height),
    fps: each.codec_type === 'video' ? framesPerSecond(each.avg_frame_rate) : undefined,
    sampleRate: positive(each.sample_rate),
    bitrate: positive(each.bit_rate),
    profile: each.profile,
  }),
})

/**
 * Probes a source for at most `limitMs`. People wait for the answer, so that their limit includes the wait for a slot.
 * Rejects with 503 if too many people wait, or if aborted while waiting.
 */
export const probeSource = async (
  source: NetworkSource,
  allowLoopback: boolean,
  requester: Requester,
  limitMs: number,
  signal: AbortSignal,
): Promise<Tracks | FailureReason> => {
  let begunAt = performance.now()
  const quick = { analysis: quickAnalysis, limitMs: Math.min(limitMs, quickMs) }
  const found = await inSlot(requester, signal, () => {
    if (requester.kind === 'stream') begunAt = performance.now()
    return inspect(source, allowLoopback, signal, quick)
  })
  if (typeof found === 'string') return found
  const { format, tracks } = found
  if (found.hasKeyframe) return { format, tracks, hasFarKeyframes: false }
  // A second probe may take a minute, so it uses the slots of failed streams.
  const slowRequester: Requester = requester.kind === 'stream' ? { ...requester, hasFailed: true } : requester
  const patient = { analysis: patientAnalysis(format), limitMs: Math.max(1000, begunAt + limitMs - performance.now()) }
  const later = await inSlot(slowRequester, signal, () => inspect(source, allowLoopback, signal, patient))
  if (typeof later === 'string') return later
  return later.hasKeyframe ? { format, tracks: later.tracks, hasFarKeyframes: true } : 'The source sends no keyframes'
}

const readReport = (output: Buffer): z.output<typeof Report> | undefined => parseJson(Report, output.toString('utf8'))

/** One picture of a source as JPEG, at most 640 pixels wide. Rejects like {@link probeSource}. */
export const grabPicture = (
  source: NetworkSource,
  allowLoopback: boolean,
  requester: Requester,
  signal: AbortSignal,
): Promise<Buffer | FailureReason> =>
  inSlot(requester, signal, () =>
    runOnSource(source, allowLoopback, signal, {
      tool: 'ffmpeg',
      before: ['-nostdin', '-v', 'error', '-threads', '1', '-probesize', '2000000', '-analyzeduration', '2000000'],
      after: ['-an', '-frames:v', '1', '-threads', '1', '-vf', jpegScale(), '-q:v', '5', '-f', 'mjpeg', 'pipe:1'],
      wallClockMs: 30_000,
      maxBytes: 4_000_000,
    }),
  )
