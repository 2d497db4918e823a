import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Rendition } from '../../../src/api/contract/archive.ts'
import type { Caller } from '../../access/access.ts'
import type { ServerContext } from '../../context.ts'
import { unavailable } from '../../http/api-error.ts'
import { viewerKey } from '../../http/caller-key.ts'
import { whileOpen } from '../../http/while-open.ts'
import { isPlayable } from '../../media/init.ts'
import { maskFilter, masksKey, type Masks } from '../../media/masks.ts'
import { initWithoutSound, segmentWithoutSound } from '../../media/rewrite.ts'
import type { Subsegment } from '../../media/subsegments.ts'
import { transcodeSubsegments } from '../../media/transcode-subsegments.ts'
import { hasLeadingPictures, transcoded, transcodedInit } from '../../media/transcode.ts'
import { createTranscodes } from '../../media/transcodes.ts'
import type { Run } from '../format/run.ts'
import type { Segment } from '../format/segment.ts'

/** One entry of a multivariant playlist. `bandwidth` in bits per second; `path` of its media playlist. */
export type Variant = { runs: readonly Run[]; bandwidth: number; path: string }

/** The viewers of a live stream share one transcode; each viewer of the archive has one of their own. */
type Playback = 'live' | 'archive'

type RunRequest = { run: Run; withoutSound: boolean }

/** A subsegment to serve in the rendition `compatible`, with functions that read its segment and the one before. */
export type CompatibleRequest = RunRequest & {
  uid: string
  playback: Playback
  subsegment: Subsegment
  segment: Pick<Segment, 'start' | 'duration'>
  read: () => Promise<Buffer | undefined>
  readBefore: () => Promise<Buffer | undefined>
}

/** BANDWIDTH of a transcode: more than `h264Arguments` (server/media/encoding.ts) usually produce at 1280×720. */
const bitsPerSecond = 6_000_000

const retryAfterSeconds = 60

/**
 * The rendition `compatible` (docs/wire.md §5.3): what not every browser can play is transcoded to H.264 while somebody
 * watches, in subsegments; so is what has privacy masks, which are burned in. A transcode that would exceed
 * `settings.transcodesMax` is refused with 503; so are new ones while the processor is overloaded, and then running
 * ones, the newest first. 0 switches transcoding off.
 */
export const createCompatible = ({ settings, overload }: ServerContext, masksOf: (uid: string) => Masks) => {
  const transcodes = createTranscodes(() => settings.transcodesMax, overload.overloadedSamples)

  const reserve = (request: FastifyRequest, uid: string, playback: Playback, segmentSeconds: number): void =>
    transcodes.admit(playback === 'live' ? `live ${uid}` : `archive ${uid} ${viewerKey(request)}`, segmentSeconds)

  const isOff = (): boolean => settings.transcodesMax === 0

  const hasMasks = (uid: string): boolean => masksOf(uid).length > 0

  return {
    /** The rendition to serve: visitors of a share get no other one of a stream with masks than `compatible`. */
    renditionFor: (caller: Caller, uid: string, requested: Rendition): Rendition =>
      caller.kind === 'share' && hasMasks(uid) ? 'compatible' : requested,

    /** For the ETag: differs if other options or masks make another subsegment of the same recording. */
    versionOf: ({ uid, segment: { start, duration }, subsegment: { index, count }, withoutSound }: CompatibleRequest) =>
      `${start}-${duration}-${index}/${count}-compatible${withoutSound ? '-silent' : ''}${masksKey(masksOf(uid))}`,

    /** `original`, or the same in H.264 if it needs transcoding. Throws 503 if too many transcodes are in use. */
    variantOf: (
      request: FastifyRequest<{ Params: { uid: string } }>,
      rendition: Rendition,
      playback: Playback,
      original: Variant,
    ): Variant => {
      if (rendition !== 'compatible') return original
      const isMasked = hasMasks(request.params.uid)
      // The original has no masks burned in, so it can't replace this one.
      if (isOff() && isMasked) throw unavailable(retryAfterSeconds)
      if (isOff() || (!isMasked && original.runs.every(({ init }) => isPlayable(init)))) return original
      reserve(request, request.params.uid, playback, 0)
      const runs = original.runs.map((run) => {
        const init = transcoded(run.init)
        return { ...run, init, width: init.video.width, height: init.video.height }
      })
      return { runs, bandwidth: bitsPerSecond, path: `compatible/${original.path}` }
    },

    /** Undefined if the run can't be transcoded, or transcoding is off. */
    initOf: async ({ run, withoutSound }: RunRequest, request: FastifyRequest, reply: FastifyReply) => {
      if (isOff()) return undefined
      const init = withoutSound ? initWithoutSound(run.init) : run.init
      const client = { caller: viewerKey(request), signal: whileOpen(reply) }
      return transcodes.make(`init ${run.key} ${withoutSound}`, client, (signal) => transcodedInit(init, signal))
    },

    /** Undefined if the subsegment is gone or can't be transcoded. Throws 503 if too many transcodes are in use. */
    segmentOf: async (
      segmentRequest: CompatibleRequest,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<Buffer | undefined> => {
      const { uid, playback, run, segment, subsegment, withoutSound, read, readBefore } = segmentRequest
      const { count } = subsegment
      if (isOff()) return undefined
      reserve(request, uid, playback, segment.duration)
      const client = { caller: `${viewerKey(request)} ${uid}`, signal: whileOpen(reply) }
      const masks = masksOf(uid)
      const key = `${uid} ${run.key} ${segment.start} ${segment.duration} ${count} ${withoutSound}${masksKey(masks)}`
      return transcodes.makeSubsegment(key, subsegment, client, async (signal, take) => {
        const sent = await read()
        if (sent === undefined || signal.aborted) return
        const bytes = withoutSound ? segmentWithoutSound(sent, run.init) : sent
        const needsBefore = hasLeadingPictures(bytes, run.init)
        const before = needsBefore ? await readBefore() : undefined
        const init = withoutSound ? initWithoutSound(run.init) : run.init
        const source = { init, segment: bytes, before }
        const drawing = { filter: maskFilter(masks) }
        await transcodeSubsegments(source, { count, duration: segment.duration }, { take, drawing, signal })
      })
    },
  }
}

export type Compatible = ReturnType<typeof createCompatible>
