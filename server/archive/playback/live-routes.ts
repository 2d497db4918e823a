import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { PlaylistQuery, type Rendition } from '../../../src/api/contract/archive.ts'
import { sharedPart } from '../../access/share-range.ts'
import { byMoment } from '../../cluster/passing-on.ts'
import type { ServerContext } from '../../context.ts'
import type { App } from '../../http/fastify.ts'
import { viewerKey } from '../../http/caller-key.ts'
import { isNotModified, versionOf } from '../../http/http-cache.ts'
import { notFound, validationError } from '../../http/api-error.ts'
import { isHttp2 } from '../../http/tls.ts'
import { whileOpen } from '../../http/while-open.ts'
import { initWithoutSound } from '../../media/rewrite.ts'
import { createSharedReads } from '../../media/shared-reads.ts'
import type { Site } from '../../streams/site.ts'
import { recordingPaths, subOf } from '../../streams/substream.ts'
import type { Supervisor } from '../../streams/supervisor.ts'
import type { Compatible } from './compatible.ts'
import { createLiveStart } from './live-start.ts'
import { livePlaylist, liveUrls, lowLatencyPlaylist, multivariantPlaylist, playlistType } from './playlist.ts'
import { undefinedIfGone, type SegmentLocation } from './reading.ts'
import { awaitPart, awaitReload, polledWindow, Reload } from './reload.ts'
import { requirePeriod } from './require-period.ts'
import { isRunShared } from './shared-runs.ts'
import { sendBytes, sendHead, type Sending } from './sending.ts'
import { planSub } from './sub-playlist.ts'

const Uid = z.object({ uid: z.string() })
/** `name`: a number and its ending: the start of a segment, the number of a part, or the id of a run for its init. */
export const Named = z.object({ uid: z.string(), name: z.string().check(z.regex(/^\d{1,16}\.(?:m4s|mp4)$/)) })
/** `silent=1` asks for media without sound. */
export const Silent = z.object({ silent: z.optional(z.literal('1')) })

const tags = ['archive']
const ofHolder = { access: { to: 'view', from: 'params.uid' }, answeredBy: 'holder' } as const
const ofMedia = { ...ofHolder, isSameForAll: true, isUnmasked: true } as const
/** What a visitor may have depends on the range of the share. */
const ofInit = { access: { to: 'see', from: 'params.uid' }, answeredBy: 'holderOrHere', isUnmasked: true } as const
/** BANDWIDTH of a live stream, as a multiple of its bit rate: an estimate of its peak. */
const peakFactor = 1.5
/** The longest wait for a playlist or a part, in target durations (rfc8216bis §6.2.5.2). */
const maxTargetsWaited = 3

export const numberOf = (name: string): number => Number.parseInt(name, 10)

const sendPlaylist = (reply: FastifyReply, text: string): FastifyReply =>
  reply.type(playlistType).header('cache-control', 'no-store').send(text)

export const liveRoutes = (
  app: App,
  context: ServerContext,
  site: Site,
  sending: Sending,
  compatible: Compatible,
): void => {
  const { access, settings, now } = context
  const { untilLive, untilSubLive } = createLiveStart(site, now)
  const sharedRead = createSharedReads()

  /** Seconds. */
  const targetDuration = (recording: string): number => site.supervisor(recording)?.live.targetDuration() ?? 2

  const waitLimit = (recording: string, reply: FastifyReply): AbortSignal =>
    AbortSignal.any([whileOpen(reply), AbortSignal.timeout(targetDuration(recording) * maxTargetsWaited * 1000)])

  const read = (recording: string, location: SegmentLocation) => site.read(recording, location).catch(undefinedIfGone)

  const readListed = async (recording: string, start: number): Promise<Buffer | undefined> => {
    const { live } = site.supervisor(recording) ?? {}
    const segment = live?.kept().find((each) => each.start === start)
    return segment === undefined ? undefined : read(recording, segment)
  }

  const readPart = async (recording: string, number: number): Promise<Buffer | undefined> => {
    const found = site.supervisor(recording)?.live.findPart(number)
    if (found === undefined) return undefined
    const { segment, part } = found
    return read(recording, { ...segment, offset: segment.offset + part.offset, bytes: part.bytes })
  }

  const sendMedia = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { path, name, length }: { path: string; name: string; length: number },
    load: () => Promise<Buffer | undefined>,
  ) => {
    if (isNotModified(reply, `${numberOf(name)}-${length}`)) return reply.send()
    if (request.method === 'HEAD') return sendHead(reply.type('video/mp4'), length)
    sending.mediaBytes.reserve(viewerKey(request), reply, length)
    const bytes = await sharedRead(`${path}/${numberOf(name)} ${length}`, load)
    if (bytes === undefined) throw notFound()
    return sendBytes(reply.type('video/mp4'), bytes)
  }

  /** Waits for a stream that is starting. Throws 404 if it isn't live: an old playlist would freeze the player. */
  const requireLive = async (request: FastifyRequest, uid: string, recording = uid): Promise<Supervisor> => {
    site.extendLease(uid)
    site.supervisor(uid)?.noteViewer(viewerKey(request))
    const supervisor = await untilLive(recording)
    if (supervisor === undefined) throw notFound()
    return supervisor
  }

  /** The live window of a rendition, and its path: those of the substream if it is live or about to be. */
  const windowOf = async (request: FastifyRequest, uid: string, rendition: Rendition) => {
    if (rendition === 'sub' && site.supervisor(subOf(uid)) !== undefined) {
      site.extendLease(uid)
      const sub = await untilSubLive(uid)
      if (sub !== undefined) return { live: sub.live, path: 'sub/' }
    }
    const { live } = await requireLive(request, uid)
    return { live, path: '' }
  }

  app.get(
    '/v1/stream/:uid/archive/index.m3u8',
    {
      config: { access: { to: 'see', from: 'params.uid' }, answeredBy: byMoment(now) },
      schema: { tags, params: Uid, querystring: PlaylistQuery },
    },
    async (request, reply) => {
      const { uid } = request.params
      const { start_time: start, end_time: end, rendition: requested = 'main' } = request.query
      const rendition = compatible.renditionFor(request.caller, uid, requested)
      if (start === undefined && end === undefined) {
        await access.require(request.caller, { to: 'view', uid })
        const { live, path } = await windowOf(request, uid, rendition)
        const run = live.newest()?.run
        if (run === undefined) throw notFound()
        const original = { runs: [run], bandwidth: live.bitrate() * peakFactor, path: `${path}live.m3u8` }
        return sendPlaylist(reply, multivariantPlaylist(compatible.variantOf(request, rendition, 'live', original)))
      }
      await access.require(request.caller, { to: 'viewRange', uid })
      if (start === undefined || end === undefined) {
        throw validationError({ [start === undefined ? 'start_time' : 'end_time']: 'Required' })
      }
      requirePeriod(start, end, settings.playlistMaxSeconds)
      const { from, to } = sharedPart(request.caller, { from: start, to: end })
      if (from >= to) throw notFound()
      const plan = rendition === 'sub' ? await planSub(site.index, uid, { from, to }, whileOpen(reply)) : undefined
      const recording = plan === undefined ? uid : subOf(uid)
      const runs = plan?.runs ?? (await site.index.runOfEachKind(uid, from, to))
      const played = [recording, ...((plan?.fromMain.length ?? 0) > 0 ? [uid] : [])]
      // BANDWIDTH: the highest bit rate among the first hundred segments of each recording.
      const sample = (await Promise.all(played.map((each) => site.index.within(each, from, to, 100)))).flat()
      if (runs.length === 0 || sample.length === 0) throw notFound()
      // A VOD playlist never changes: its end is fixed to what is recorded now.
      const periods = await Promise.all([uid, recording].map((each) => site.index.period(each)))
      const fixedEnd = Math.min(to, Math.max(...periods.map((period) => period?.endTime ?? 0)))
      const bandwidth = Math.max(...sample.map((each) => (each.bytes * 8) / each.duration))
      const range = new URLSearchParams({
        start_time: new Date(from).toISOString(),
        end_time: new Date(fixedEnd).toISOString(),
      })
      const path = `${plan === undefined ? '' : 'sub/'}recorded.m3u8?${range.toString()}`
      return sendPlaylist(
        reply,
        multivariantPlaylist(compatible.variantOf(request, rendition, 'archive', { runs, bandwidth, path })),
      )
    },
  )

  app.get(
    '/v1/stream/:uid/archive/compatible/live.m3u8',
    { config: ofHolder, schema: { tags, params: Uid } },
    async (request, reply) => {
      const { uid } = request.params
      const { live } = await requireLive(request, uid)
      return sendPlaylist(
        reply,
        livePlaylist(live.listed().segments, targetDuration(uid), { ...liveUrls, isSplit: true }),
      )
    },
  )

  for (const { path, recordingOf } of recordingPaths) {
    app.get(
      `/v1/stream/:uid/archive/${path}live.m3u8`,
      { config: { ...ofHolder, isUnmasked: true }, schema: { tags, params: Uid, querystring: Reload } },
      async (request, reply) => {
        const { uid } = request.params
        const recording = recordingOf(uid)
        // A browser opens six connections of HTTP/1.1 to a server: waiting requests would block the page.
        const signal = isHttp2(request) ? waitLimit(recording, reply) : undefined
        const { live } = await requireLive(request, uid, recording)
        const window = signal === undefined ? polledWindow(live) : await awaitReload(live, request.query, signal)
        const playlist =
          window === undefined
            ? livePlaylist(live.listed().segments, targetDuration(recording), liveUrls)
            : lowLatencyPlaylist(window, targetDuration(recording), { ...liveUrls, mayWait: signal !== undefined })
        return sendPlaylist(reply, playlist)
      },
    )

    app.get(
      `/v1/stream/:uid/archive/${path}live/:name`,
      { config: ofMedia, schema: { tags, params: Named } },
      async (request, reply) => {
        const { uid, name } = request.params
        const recording = recordingOf(uid)
        const supervisor = site.supervisor(recording)
        const start = numberOf(name)
        const unwritten = supervisor?.live.opened().find((each) => each.isWhole && each.start === start)
        const segment = supervisor?.live.kept().find((each) => each.start === start)
        if (unwritten === undefined && segment === undefined) throw notFound()
        site.supervisor(uid)?.noteViewer(viewerKey(request))
        // A segment that has been written meanwhile is no longer in memory, but listed.
        const load = async () => (await unwritten?.read()) ?? readListed(recording, start)
        const length = unwritten?.parts.reduce((sum, { bytes }) => sum + bytes, 0) ?? segment?.bytes ?? 0
        return sendMedia(request, reply, { path: `${recording}/live`, name, length }, load)
      },
    )

    app.get(
      `/v1/stream/:uid/archive/${path}part/:name`,
      { config: ofMedia, schema: { tags, params: Named } },
      async (request, reply) => {
        const { uid, name } = request.params
        const recording = recordingOf(uid)
        const live = site.supervisor(recording)?.live
        if (live === undefined) throw notFound()
        const number = numberOf(name)
        const mayWait = isHttp2(request) && request.method !== 'HEAD'
        const unlisted = await awaitPart(live, number, mayWait ? waitLimit(recording, reply) : AbortSignal.abort())
        const length = unlisted?.bytes ?? live.findPart(number)?.part.bytes
        if (length === undefined) throw notFound()
        const load = async () => (await unlisted?.read()) ?? readPart(recording, number)
        return sendMedia(request, reply, { path: `${recording}/part`, name, length }, load)
      },
    )

    app.get(
      `/v1/stream/:uid/archive/${path}init/:name`,
      { config: ofInit, schema: { tags, params: Named, querystring: Silent } },
      async (request, reply) => {
        const { uid, name } = request.params
        const recording = recordingOf(uid)
        const id = numberOf(name)
        const run = site.supervisor(recording)?.live.findRun(id) ?? (await site.index.run(recording, id))
        if (run === undefined || !(await isRunShared(site.index, request.caller, recording, id))) throw notFound()
        const { bytes } = request.query.silent === undefined ? run.init : initWithoutSound(run.init)
        return isNotModified(reply, versionOf(bytes)) ? reply.send() : sendBytes(reply.type('video/mp4'), bytes)
      },
    )
  }
}
