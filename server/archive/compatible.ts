import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Rendition } from '../../src/api/contract/archive.ts'
import type { ServerContext } from '../context.ts'
import { viewerKey } from '../http/caller-key.ts'
import { whileOpen } from '../http/while-open.ts'
import { isPlayable } from '../media/init.ts'
import { rewriteSegment, silentInit } from '../media/rewrite.ts'
import { hasLeadingPictures, transcoded, transcodedInit, transcodeSegment } from '../media/transcode.ts'
import { createTranscodes } from '../media/transcodes.ts'
import type { Run } from './run.ts'
import type { Segment } from './segment.ts'

/** The contents of a multivariant playlist; `path` of the media playlist. */
export type Variant = { runs: readonly Run[]; bandwidth: number; path: string }

/** A segment to transcode: its bytes, and those of the segment before it in its run. */
export type SegmentToTranscode = {
  uid: string
  line: 'live' | 'archive'
  run: Run
  segment: Pick<Segment, 'start' | 'duration'>
  isSilent: boolean
  load: () => Promise<Buffer | undefined>
  loadBefore: () => Promise<Buffer | undefined>
}

/** Upper bound of the bit rate of h264Arguments, for BANDWIDTH. */
const bandwidth = 6_000_000

/**
 * The rendition `compatible` (docs/wire.md §5.3): runs that a browser may not play are made H.264 while they
 * are watched, segment by segment; other runs are sent as they are.
 */
export const createCompatible = ({ settings, now }: ServerContext) => {
  const transcodes = createTranscodes(() => settings.transcodesMax, now)

  const enter = (request: FastifyRequest, uid: string, line: SegmentToTranscode['line'], seconds: number): void =>
    transcodes.enter(line === 'live' ? `live ${uid}` : `archive ${uid} ${viewerKey(request)}`, seconds)

  const isOff = (): boolean => settings.transcodesMax === 0

  return {
    /**
     * The requested variant; the main one if nothing needs transcoding. Throws 503 if too many are being transcoded.
     */
    variantOf: (
      request: FastifyRequest<{ Params: { uid: string }; Querystring: { rendition?: Rendition | undefined } }>,
      line: SegmentToTranscode['line'],
      main: Variant,
    ): Variant => {
      if (request.query.rendition !== 'compatible' || isOff()) return main
      if (main.runs.every(({ init }) => isPlayable(init))) return main
      enter(request, request.params.uid, line, 0)
      const runs = main.runs.map((run) => {
        if (isPlayable(run.init)) return run
        const init = transcoded(run.init)
        return { ...run, init, width: init.video.width, height: init.video.height }
      })
      return { runs, bandwidth, path: `compatible/${main.path}` }
    },

    initOf: async (run: Run, isSilent: boolean, request: FastifyRequest, reply: FastifyReply) => {
      const { init } = run
      const bytes = isSilent ? silentInit(init) : init.bytes
      if (isPlayable(init)) return bytes
      if (isOff()) return undefined
      const wanted = { caller: viewerKey(request), signal: whileOpen(reply) }
      const tracks = isSilent ? [init.video] : init.tracks
      return transcodes.make(`init ${run.key} ${isSilent}`, wanted, (signal) =>
        transcodedInit({ ...init, bytes, tracks }, signal),
      )
    },

    segmentOf: async (
      wanted: SegmentToTranscode,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<Buffer | undefined> => {
      const { uid, run, segment, isSilent } = wanted
      const plain = async (load: () => Promise<Buffer | undefined>) => {
        const bytes = await load()
        return bytes === undefined || !isSilent ? bytes : rewriteSegment(bytes, run.init, { seconds: 0, silent: true })
      }
      if (isPlayable(run.init)) return plain(wanted.load)
      if (isOff()) return undefined
      enter(request, uid, wanted.line, segment.duration)
      const asked = { caller: viewerKey(request), signal: whileOpen(reply) }
      return transcodes.make(`${uid} ${run.key} ${segment.start} ${isSilent}`, asked, async (signal) => {
        const bytes = await plain(wanted.load)
        if (bytes === undefined || signal.aborted) return undefined
        const isLed = hasLeadingPictures(bytes, run.init)
        const before = isLed ? await wanted.loadBefore() : undefined
        const init = isSilent ? { ...run.init, bytes: silentInit(run.init), tracks: [run.init.video] } : run.init
        return transcodeSegment({ init, segment: bytes, before }, signal)
      })
    },
  }
}

export type Compatible = ReturnType<typeof createCompatible>
