import type shakaTypes from 'shaka-player/dist/shaka-player.hls-es2021.js'
import { address, callHeaders, isOurAddress, reportRefused } from '../../call.ts'
import { canPlay, entriesOfHead, entriesOfPlaylist, refusedCodec } from './codecs.ts'
import { refusedOf, requestOf, type SegmentRequest } from './downloads.ts'
import { engineErrorOf, type EngineError } from './failure.ts'
import type { Engine, StartAt } from './engine.ts'
import type { FrameTable } from '../frames/frame-table.ts'
import { asGrowing, growthSeconds, withEnd } from '../playlist/growing-playlist.ts'
import { timelineSegments, type TimelineSegment } from '../playlist/timeline-segments.ts'
import { leadingGapSeconds, withLeadingGap } from '../playlist/leading-gap.ts'
import { bufferingGoal, engineHoldBack, liveHoldBack } from '../live/live-edge.ts'
import { createFrameReader } from '../frames/frame-reader.ts'
import { readPlaylist, withHoldBack } from '../playlist/playlist.ts'
import { configuration, listeningAbr, preloadEngine } from './shaka.ts'

const none: readonly shakaTypes.extern.Variant[] = []

/**
 * Blocking reloads follow each other at once, others at this period. shaka's default, the longest part, would fall
 * behind, as other parts are shorter.
 */
const reloadSeconds = 0.05

/** Weight of each new value in the moving average: about three seconds of parts, or ten segments. */
const edgeShare = 0.1

/** Reports errors of a running player; by themselves they don't mean that it is dead. */
export async function openEngine(
  video: HTMLVideoElement,
  table: FrameTable,
  onError: (error: EngineError) => void,
): Promise<Engine> {
  const shaka = await preloadEngine()
  const player = new shaka.Player()
  await player.attach(video)
  const offered = { variants: none }
  player.configure({
    ...configuration,
    abrFactory: () => listeningAbr(shaka, (variants) => (offered.variants = variants)),
  })
  const playing = {
    url: address('/'),
    growsUntil: null as number | null,
    isLowLatency: false,
    holdBack: 0,
    hasBegun: false,
    updatePeriod: Number.NaN,
  }
  /** Moving average of how far the end of a new playlist is ahead of the clock. */
  const edge = { ahead: 0, growths: 0 }
  const laid: {
    index: Iterable<unknown> | null
    count: number
    evicted: number
    end: number
    segments: readonly TimelineSegment[]
  } = { index: null, count: 0, evicted: 0, end: 0, segments: [] }
  const pending: { startAt: StartAt | null } = { startAt: null }

  player.addEventListener('error', (event) => onError(engineErrorOf('detail' in event ? event.detail : event)))
  const segments = { last: null as SegmentRequest | null, came: 0 }
  const sampleEntries = new Set<string>()
  for (const type of ['downloadcompleted', 'downloadfailed']) {
    player.addEventListener(type, (event) => {
      const request = requestOf(event, shaka.net.NetworkingEngine.RequestType.SEGMENT, Date.now())
      if (request !== null && type === 'downloadcompleted') segments.came += 1
      segments.last = request ?? segments.last
      const refused = refusedOf(event)
      if (refused !== null) reportRefused(refused.address, refused.status)
    })
  }
  const network = player.getNetworkingEngine()
  const frameReader = createFrameReader(table)
  const { MANIFEST, SEGMENT } = shaka.net.NetworkingEngine.RequestType
  const { INIT_SEGMENT } = shaka.net.NetworkingEngine.AdvancedRequestType
  network?.registerRequestFilter((type, request) => {
    const until = playing.growsUntil
    if (type === MANIFEST && until !== null)
      request.uris = request.uris.map((uri) => withEnd(uri, Math.min(Date.now(), until)) ?? uri)
    if (request.uris.every(isOurAddress)) Object.assign(request.headers, callHeaders(playing.url))
  })
  network?.registerResponseFilter((type, response, context) => {
    if (type === SEGMENT) {
      if (context?.type === INIT_SEGMENT) {
        frameReader.readHead(response.data)
        for (const entry of entriesOfHead(response.data)) sampleEntries.add(entry)
      } else if (context?.segment != null)
        frameReader.readSegment(response.data, context.segment.getStartTime(), context.segment.getEndTime())
    }
    if (type !== MANIFEST) return
    const text = new TextDecoder().decode(response.data)
    const playlist = readPlaylist(text)
    if (playlist === null) {
      for (const entry of entriesOfPlaylist(text)) sampleEntries.add(entry)
      return
    }
    const isGrowing =
      playing.growsUntil !== null && Date.now() < playing.growsUntil && withEnd(response.uri, 0) !== null
    let sent = isGrowing ? asGrowing(playlist.dated) : playlist.dated
    playing.isLowLatency = playlist.hasParts
    if (!playlist.isComplete) {
      const longest = Math.max(0.5, ...playlist.segments.map((segment) => segment.durationSeconds))
      playing.holdBack = playing.isLowLatency ? playlist.holdBackSeconds : liveHoldBack(longest)
      if (!playing.isLowLatency && !isGrowing) {
        const delay = engineHoldBack(longest)
        sent = withHoldBack(sent, delay)
        if (!playing.hasBegun) player.updateStartTime(delay - playing.holdBack)
      }
      playing.hasBegun = true
      const updatePeriod = playlist.hasBlockingReload ? reloadSeconds : -1
      if (updatePeriod !== playing.updatePeriod) player.configure('manifest', { updatePeriod })
      playing.updatePeriod = updatePeriod
    }
    const isArchive = playlist.isComplete || isGrowing
    response.data = new TextEncoder().encode(isArchive ? withLeadingGap(sent) : sent)
    if (pending.startAt !== null)
      player.updateStartTime(pending.startAt(playlist.segments) + (isArchive ? leadingGapSeconds : 0))
    pending.startAt = null
  })

  const videoStream = () => {
    const active = player.getVariantTracks().find((track) => track.active)
    const variant = offered.variants.find(({ id }) => id === active?.id) ?? offered.variants[0]
    return variant?.video ?? variant?.audio ?? null
  }

  return {
    async load(url, { startAt, growsUntil }) {
      Object.assign(playing, { url, growsUntil, isLowLatency: false, holdBack: 0, hasBegun: false })
      // Restores the configuration after a low-latency source.
      player.configure(configuration)
      player.configure('manifest', {
        updatePeriod: growsUntil === null ? -1 : growthSeconds,
        hls: { ignoreManifestProgramDateTime: growsUntil !== null },
      })
      frameReader.clear()
      sampleEntries.clear()
      edge.growths = 0
      Object.assign(segments, { last: null, came: 0 })
      pending.startAt = startAt
      await player.load(url, null, 'application/x-mpegurl')
      // The parser has read it; without parts it would retry a failing server ten times a second.
      if (!playing.isLowLatency) player.configure('streaming.lowLatencyMode', false)
    },
    unload: () => player.unload(),
    destroy: () => player.destroy(),
    setRate(rate) {
      player.configure('streaming', { bufferingGoal: bufferingGoal(rate), bufferBehind: rate > 2 ? 5 : 20 })
      if (rate === 1) player.cancelTrickPlay()
      else player.trickPlay(rate, false)
    },
    hasSound: () =>
      player
        .getVariantTracks()
        .some(
          (track) =>
            track.active && /mp4a|opus|[ae]c-3|flac|mp3/i.test(`${track.audioCodec ?? ''} ${track.codecs ?? ''}`),
        ),
    segments() {
      const index = videoStream()?.segmentIndex ?? null
      const [count, evicted] = [index?.getNumReferences() ?? 0, index?.getNumEvicted() ?? 0]
      // The newest segment grows while it is being made.
      const end = index?.get(evicted + count - 1)?.getEndTime() ?? 0
      if (end > laid.end) {
        const ahead = end - performance.now() / 1000
        edge.growths += 1
        edge.ahead += (ahead - edge.ahead) * Math.max(edgeShare, 1 / edge.growths)
      }
      if (laid.index !== index || laid.count !== count || laid.evicted !== evicted || laid.end !== end) {
        const placed = index === null || count === 0 ? [] : timelineSegments(index)
        Object.assign(laid, { index, count, evicted, end, segments: placed })
      }
      return laid.segments
    },
    segmentsLoaded: () => segments.came,
    refusedCodec: () => refusedCodec([...sampleEntries], canPlay),
    seekRange: () => player.seekRange(),
    // shaka's own live edge stays at that of the first playlist, however late it arrived (its timeline is locked then).
    liveAt: () =>
      playing.holdBack > 0 && edge.growths > 0
        ? edge.ahead + performance.now() / 1000 - playing.holdBack
        : player.seekRange().end,
    isLowLatency: () => playing.isLowLatency,
    stats() {
      const stats = player.getStats()
      const track = player.getVariantTracks().find((one) => one.active)
      return {
        codecs: track?.codecs ?? '',
        width: stats.width || 0,
        height: stats.height || 0,
        framesPerSecond: track?.frameRate ?? null,
        bitsPerSecond: stats.streamBandwidth || 0,
        droppedFrames: stats.droppedFrames || 0,
        decodedFrames: stats.decodedFrames || 0,
        lastSegment: segments.last,
      }
    },
  }
}
