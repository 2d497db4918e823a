import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Rendition } from '../../../src/api/contract/archive.ts'
import type { Caller } from '../../access/access.ts'
import type { ServerContext } from '../../context.ts'
import { unavailable } from '../../http/api-error.ts'
import { viewerKey } from '../../http/caller-key.ts'
import { whileOpen } from '../../http/while-open.ts'
import { isPlayable } from '../../media/init.ts'
import { maskFilter, masksKey, type Masks } from '../../media/masks.ts'
import { initWithoutSound, segmentWithoutSound } from '../../media/rewrite.ts'
import { hasLeadingPictures, transcoded, transcodedInit, transcodeSegment } from '../../media/transcode.ts'
import { createTranscodes } from '../../media/transcodes.ts'
import type { Run } from '../format/run.ts'
import type { Segment } from '../format/segment.ts'

/** `masked=1`: the stream had privacy masks when the playlist was made. */
export const Masked = z.object({ masked: z.optional(z.literal('1')) })

/** One entry of a multivariant playlist. `bandwidth` in bits per second; `path` of its media playlist. */
export type Variant = { runs: readonly Run[]; bandwidth: number; path: string }

/** The viewers of a live stream share one transcode; each viewer of the archive has one of their own. */
type Playback = 'live' | 'archive'

/** `isMasked`: the playlist was made while the stream had privacy masks, so that no run of it is copied. */
export type RunRequest = { uid: string; run: Run; withoutSound: boolean; isMasked: boolean }

/** A segment to serve in the rendition `compatible`, with functions that read it and the one before it in its run. */
export type CompatibleRequest = RunRequest & {
  playback: Playback
  segment: Pick<Segment, 'start' | 'duration'>
  read: () => Promise<Buffer | undefined>
  readBefore: () => Promise<Buffer | undefined>
}

/** BANDWIDTH of a transcode: more than `h264Arguments` (server/media/encoding.ts) usually produce at 1280×720. */
const bitsPerSecond = 6_000_000

const retryAfterSeconds = 60

/**
 * The rendition `compatible` (docs/wire.md §5.3): runs that not every browser can play are transcoded to H.264 while
 * somebody watches, segment by segment; other runs are sent as they are, unless privacy masks are burned in. A
 * transcode that would exceed `settings.transcodesMax` is refused with 503; so are new ones while the processor is
 * overloaded, and then running ones, the newest first. 0 switches transcoding off.
 */
export const createCompatible = ({ settings, overload }: ServerContext, masksOf: (uid: string) => Masks) => {
  const transcodes = createTranscodes(() => settings.transcodesMax, overload.overloadedSamples)

  const reserve = (request: FastifyRequest, uid: string, playback: Playback, segmentSeconds: number): void =>
    transcodes.admit(playback === 'live' ? `live ${uid}` : `archive ${uid} ${viewerKey(request)}`, segmentSeconds)

  const isOff = (): boolean => settings.transcodesMax === 0

  /** Whether a run is sent as it is: only while `mayCopy`, as masks may have been added after the playlist was made. */
  const isCopied = ({ run, isMasked }: RunRequest): boolean => isPlayable(run.init) && !isMasked
  const mayCopy = (uid: string): boolean => masksOf(uid).length === 0

  return {
    /** The rendition to serve: visitors of a share get no other one of a stream with masks than `compatible`. */
    renditionFor: (caller: Caller, uid: string, requested: Rendition): Rendition =>
      caller.kind === 'share' && !mayCopy(uid) ? 'compatible' : requested,

    /** Part of the ETag of a segment: differs if other options or masks make another segment of the same recording. */
    versionOf: ({ uid, withoutSound, isMasked }: RunRequest): string =>
      `compatible${withoutSound ? '-silent' : ''}${isMasked ? '-masked' : ''}${masksKey(masksOf(uid))}`,

    /** `original`, or the same in H.264 if it needs transcoding. Throws 503 if too many transcodes are in use. */
    variantOf: (
      request: FastifyRequest<{ Params: { uid: string } }>,
      rendition: Rendition,
      playback: Playback,
      original: Variant,
    ): Variant => {
      if (rendition !== 'compatible') return original
      const isMasked = !mayCopy(request.params.uid)
      // The original has no masks burned in, so it can't replace this one.
      if (isOff() && isMasked) throw unavailable(retryAfterSeconds)
      if (isOff() || (!isMasked && original.runs.every(({ init }) => isPlayable(init)))) return original
      reserve(request, request.params.uid, playback, 0)
      const runs = original.runs.map((run) => {
        if (!isMasked && isPlayable(run.init)) return run
        const init = transcoded(run.init)
        return { ...run, init, width: init.video.width, height: init.video.height }
      })
      const query = isMasked ? `${original.path.includes('?') ? '&' : '?'}masked=1` : ''
      return { runs, bandwidth: bitsPerSecond, path: `compatible/${original.path}${query}` }
    },

    /** Undefined if the run can't be transcoded, or transcoding is off. */
    initOf: async (runRequest: RunRequest, request: FastifyRequest, reply: FastifyReply) => {
      const { uid, run, withoutSound } = runRequest
      const init = withoutSound ? initWithoutSound(run.init) : run.init
      if (isCopied(runRequest)) return mayCopy(uid) ? init.bytes : undefined
      if (isOff()) return undefined
      const client = { caller: viewerKey(request), signal: whileOpen(reply) }
      return transcodes.make(`init ${run.key} ${withoutSound}`, client, (signal) => transcodedInit(init, signal))
    },

    /** Undefined if the segment is gone or can't be transcoded. Throws 503 if too many transcodes are in use. */
    segmentOf: async (
      segmentRequest: CompatibleRequest,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<Buffer | undefined> => {
      const { uid, playback, run, segment, withoutSound, read, readBefore } = segmentRequest
      const readSource = async () => {
        const bytes = await read()
        return bytes === undefined || !withoutSound ? bytes : segmentWithoutSound(bytes, run.init)
      }
      if (isCopied(segmentRequest)) return mayCopy(uid) ? readSource() : undefined
      if (isOff()) return undefined
      reserve(request, uid, playback, segment.duration)
      const client = { caller: viewerKey(request), signal: whileOpen(reply) }
      const masks = masksOf(uid)
      const key = `${uid} ${run.key} ${segment.start} ${segment.duration} ${withoutSound}${masksKey(masks)}`
      return transcodes.make(key, client, async (signal) => {
        const bytes = await readSource()
        if (bytes === undefined || signal.aborted) return undefined
        const needsBefore = hasLeadingPictures(bytes, run.init)
        const before = needsBefore ? await readBefore() : undefined
        const init = withoutSound ? initWithoutSound(run.init) : run.init
        return transcodeSegment({ init, segment: bytes, before }, signal, { filter: maskFilter(masks) })
      })
    },
  }
}

export type Compatible = ReturnType<typeof createCompatible>
