import * as z from 'zod/mini'
import type { Probe } from '../../src/api/contract/stream.ts'
import { resolveHost, ConnectFailure } from './address.ts'
import { classifyFailure, type FailureReason } from './failures.ts'
import { openInput } from './input.ts'
import { createSlots, runTool } from './process.ts'
import type { NetworkSource } from './source.ts'

const Report = z.object({
  format: z.object({ format_name: z.string() }),
  streams: z.array(
    z.object({
      codec_type: z.optional(z.string()),
      codec_name: z.optional(z.string()),
      pix_fmt: z.optional(z.string()),
      width: z.optional(z.number()),
      height: z.optional(z.number()),
      avg_frame_rate: z.optional(z.string()),
      sample_rate: z.optional(z.string()),
      bit_rate: z.optional(z.string()),
    }),
  ),
})

type Track = Probe['tracks'][number] & { pixelFormat?: string }

/** What a source carries. `pixelFormat` decides whether a browser can play its H.264 as it is. */
export type Tracks = { format: string; tracks: Track[] }

const positive = (text: string | undefined): number | undefined => {
  const value = Number(text)
  return Number.isFinite(value) && value > 0 ? value : undefined
}

const rate = (text: string | undefined): number | undefined => {
  const [over = '', under = '1'] = (text ?? '').split('/')
  const value = Number(over) / Number(under)
  return Number.isFinite(value) && value > 0 ? Math.round(value * 1000) / 1000 : undefined
}

/** Leaves out what is undefined, as `exactOptionalPropertyTypes` wants it. */
const known = <T extends object>(values: { [K in keyof T]: T[K] | undefined }): Partial<T> => {
  const result: Partial<T> = {}
  for (const key in values) {
    const value = values[key]
    if (value !== undefined) result[key] = value
  }
  return result
}

const slots = createSlots(3)

/** Asks ffprobe what a source carries, for at most `limitMs`. */
export const probeSource = (
  source: NetworkSource,
  allowLoopback: boolean,
  limitMs = 30_000,
  signal?: AbortSignal,
): Promise<Tracks | FailureReason> =>
  slots(async () => {
    try {
      await resolveHost(source.host, allowLoopback)
    } catch (error) {
      return error instanceof ConnectFailure ? error.code : 'EHOSTUNREACH'
    }
    const input = await openInput(source, allowLoopback)
    try {
      const { output, complaints } = await runTool(
        'ffprobe',
        ['-v', 'error', '-probesize', '2000000', '-analyzeduration', '4000000', '-of', 'json', '-show_format', '-show_streams', ...input.args],
        {
          gateway: input.gateway,
          wallClockMs: limitMs,
          maxBytes: 1_000_000,
          ...(signal === undefined ? {} : { signal }),
        },
      )
      const report = output === undefined ? undefined : readReport(output)
      if (report === undefined) return classifyFailure(input.gateway.failure(), complaints, 'ProbeError')
      const tracks = report.streams.map(
        (each): Track => ({
          type: each.codec_type ?? '',
          codec: each.codec_name ?? '',
          ...known<Pick<Track, 'width' | 'height' | 'fps' | 'sampleRate' | 'bitrate' | 'pixelFormat'>>({
            width: each.width,
            height: each.height,
            fps: each.codec_type === 'video' ? rate(each.avg_frame_rate) : undefined,
            sampleRate: positive(each.sample_rate),
            bitrate: positive(each.bit_rate),
            pixelFormat: each.pix_fmt,
          }),
        }),
      )
      if (!tracks.some((track) => track.type === 'video' && track.width !== undefined)) return 'The source has no video'
      return { format: report.format.format_name, tracks }
    } finally {
      input.gateway.close()
    }
  })

const readReport = (output: Buffer): z.output<typeof Report> | undefined => {
  try {
    return z.safeParse(Report, JSON.parse(output.toString('utf8'))).data
  } catch {
    return undefined
  }
}

/** One picture of a source as JPEG, at most 640 wide. */
export const grabPicture = (
  source: NetworkSource,
  allowLoopback: boolean,
  signal: AbortSignal,
): Promise<Buffer | FailureReason> =>
  slots(async () => {
    const input = await openInput(source, allowLoopback)
    try {
      const { output, complaints } = await runTool(
        'ffmpeg',
        ['-nostdin', '-v', 'error', '-threads', '1', '-probesize', '2000000', '-analyzeduration', '2000000', ...input.args, '-an', '-frames:v', '1', '-threads', '1', '-vf', 'scale=\'min(640,iw)\':-2', '-q:v', '5', '-f', 'mjpeg', 'pipe:1'],
        { gateway: input.gateway, wallClockMs: 30_000, maxBytes: 4_000_000, signal },
      )
      return output ?? classifyFailure(input.gateway.failure(), complaints, 'ProbeError')
    } finally {
      input.gateway.close()
    }
  })
