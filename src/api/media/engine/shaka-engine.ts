import type shakaTypes from 'shaka-player/dist/shaka-player.hls-es2021.js'
import { callHeaders, isOurServer, reportMediaError, urlOf } from '../../call.ts'
import { canPlay, entriesOfInit, entriesOfPlaylist, refusedCodec } from './codecs.ts'
import { firstByteOf, refusalOf, segmentRequestOf, type SegmentRequest } from './downloads.ts'
import { engineErrorOf, type EngineError } from './failure.ts'
import type { Engine, StartAt } from './engine.ts'
import type { FrameTable } from '../frames/frame-table.ts'
import { asGrowing, growingReloadSeconds, withEnd } from '../playlist/growing-playlist.ts'
import { timelineSegments, type TimelineSegment } from '../playlist/timeline-segments.ts'
import { leadingGapSeconds, withLeadingGap } from '../playlist/leading-gap.ts'
import { engineHoldBack, liveHoldBack } from '../live/live-edge.ts'
import { changeSeconds, createReloadPace } from '../live/reload-pace.ts'
import { createPolledParts, withoutParts } from '../playlist/polled-parts.ts'
import { createFrameReader } from '../frames/frame-reader.ts'
import { hasSeveralPlaylists, listedSeconds, longestSeconds, readPlaylist, withHoldBack } from '../playlist/playlist.ts'
import { createLiveEnd, endOf } from './live-end.ts'
import { preloadEngine } from './preload-engine.ts'
import { bufferingAt, configuration, listeningAbr } from './shaka-configuration.ts'

const none: readonly shakaTypes.extern.Variant[] = []

/** Identifies a playlist, also if another of its addresses answers. */
const playlistOf = ({ uris: [first = ''] }: shakaTypes.extern.Request): string => first

/** The pause between reloads of a live playlist: each waits by itself, on the server or here for its turn. */
const reloadSeconds = 0.05

/** `onError`: an error of shaka; the player may still recover from it. */
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
    /** Counts loads and unloads. */
    load: 0,
    hasLoaded: false,
    url: urlOf('/'),
    growsUntil: null as number | null,
    isLowLatency: false,
    /** From then on shaka takes no HOLD-BACK, and would poll at the pace of parts. */
    hadParts: false,
    polledParts: createPolledParts(),
    holdBack: 0,
    hasBegun: false,
    hasBlockingReload: false,
    listedSeconds: 0,
    windowSeconds: Number.NaN,
  }
  const liveEnd = createLiveEnd()
  const placed: {
    index: Iterable<unknown> | null
    count: number
    evicted: number
    end: number
    segments: readonly TimelineSegment[]
  } = { index: null, count: 0, evicted: 0, end: 0, segments: [] }
  const pending: { startAt: StartAt | null } = { startAt: null }

  player.addEventListener('error', (event) => onError(engineErrorOf('detail' in event ? event.detail : event)))
  const segments = { last: null as SegmentRequest | null, received: 0 }
  const sampleEntries = new Set<string>()
  for (const type of ['downloadcompleted', 'downloadfailed']) {
    player.addEventListener(type, (event) => {
      const request = segmentRequestOf(event, shaka.net.NetworkingEngine.RequestType.SEGMENT, Date.now())
      if (request !== null && type === 'downloadcompleted') segments.received += 1
      segments.last = request ?? segments.last
      const refusal = refusalOf(event)
      if (refusal !== null) reportMediaError(refusal.url, refusal.status)
    })
  }
  const network = player.getNetworkingEngine()
  const frameReader = createFrameReader(table)
  const { MANIFEST, SEGMENT } = shaka.net.NetworkingEngine.RequestType
  const { INIT_SEGMENT } = shaka.net.NetworkingEngine.AdvancedRequestType
  const pace = createReloadPace()
  network?.registerRequestFilter(async (type, request) => {
    if (type === MANIFEST && !playing.hasBlockingReload) await pace.turn(playlistOf(request))
    const until = playing.growsUntil
    if (type === MANIFEST && until !== null)
      request.uris = request.uris.map((uri) => withEnd(uri, Math.min(Date.now(), until)) ?? uri)
    if (request.uris.every(isOurServer)) Object.assign(request.headers, callHeaders(playing.url))
  })
  network?.registerResponseFilter((type, response, context) => {
    if (type === SEGMENT) {
      if (context?.type === INIT_SEGMENT) {
        frameReader.readInit(response.data)
        for (const entry of entriesOfInit(response.data)) sampleEntries.add(entry)
      } else if (context?.segment != null)
        frameReader.readSegment(response.data, context.segment.getStartTime(), context.segment.getEndTime())
      // shaka reads the codecs from a segment before it positions it, and doesn't request it again to play it.
      else frameReader.keepSegment(response.data, response.originalUri, firstByteOf(response.originalRequest.headers))
    }
    if (type !== MANIFEST) return
    const text = playing.polledParts(
      new TextDecoder().decode(response.data),
      pace.elapsed(playlistOf(response.originalRequest)),
    )
    const playlist = readPlaylist(text)
    if (playlist === null) {
      for (const entry of entriesOfPlaylist(text)) sampleEntries.add(entry)
      if (playing.growsUntil === null && hasSeveralPlaylists(text))
        player.configure('manifest.hls.ignoreManifestProgramDateTime', false)
      return
    }
    const isGrowing =
      playing.growsUntil !== null && Date.now() < playing.growsUntil && withEnd(response.uri, 0) !== null
    let playlistText = isGrowing ? asGrowing(playlist.dated) : playlist.dated
    playing.isLowLatency = playlist.hasParts
    playing.hadParts ||= playlist.hasParts
    if (!playlist.isComplete) {
      playing.holdBack = playing.isLowLatency
        ? playlist.holdBackSeconds
        : liveHoldBack(longestSeconds(playlist), playlist.growthSeconds)
      const isWholeAgain = playing.hadParts && !playlist.hasParts
      if (isWholeAgain) playlistText = withoutParts(playlistText)
      else if (!isGrowing && playing.holdBack > 0) {
        const delay = engineHoldBack(playing.holdBack)
        playlistText = withHoldBack(playlistText, delay, playlist.hasParts ? 'PART-HOLD-BACK' : 'HOLD-BACK')
        if (!playing.hasBegun) player.updateStartTime(delay - playing.holdBack)
      }
      if (!playing.hasBegun) liveEnd.restart()
      playing.listedSeconds = listedSeconds(playlist)
      playing.hasBegun = true
      playing.hasBlockingReload = playlist.hasBlockingReload
      if (!isGrowing && !playlist.hasBlockingReload)
        pace.answered(playlistOf(response.originalRequest), text, changeSeconds(playlist) * 1000)
    }
    const isArchive = playlist.isComplete || isGrowing
    response.data = new TextEncoder().encode(isArchive ? withLeadingGap(playlistText) : playlistText)
    if (pending.startAt !== null)
      player.updateStartTime(pending.startAt(playlist.segments) + (isArchive ? leadingGapSeconds : 0))
    pending.startAt = null
  })

  const videoStream = () => {
    const active = player.getVariantTracks().find((track) => track.active)
    const variant = offered.variants.find(({ id }) => id === active?.id) ?? offered.variants[0]
    return variant?.video ?? variant?.audio ?? null
  }
  /**
   * shaka leaves the gap out that a camera's loss makes, while its live edge goes by the clock: in a window as long as
   * the playlist, what is listed would soon be too old.
   */
  const noteLiveEnd = () => {
    liveEnd.note(endOf(videoStream()?.segmentIndex ?? null), performance.now() / 1000, playing.holdBack)
    const seconds = Math.round(playing.listedSeconds + liveEnd.behind())
    if (playing.holdBack === 0 || seconds === playing.windowSeconds) return
    playing.windowSeconds = seconds
    player.configure('manifest.availabilityWindowOverride', seconds)
  }
  player.addEventListener('manifestupdated', noteLiveEnd)
  /** Keeps the media source of `attach` for the first load. shaka would make a new one that a load meanwhile closes. */
  const empty = async () => {
    pace.restart()
    if (playing.hasLoaded) await player.unload(false)
  }

  return {
    async load(url, { startAt, growsUntil }) {
      const load = (playing.load += 1)
      // A playlist of an earlier load that came later would take the start of this one for its own.
      await empty()
      if (load !== playing.load) return
      playing.hasLoaded = true
      Object.assign(playing, { url, growsUntil, isLowLatency: false, holdBack: 0, hasBegun: false })
      Object.assign(playing, { hadParts: false, hasBlockingReload: false, windowSeconds: Number.NaN })
      playing.polledParts = createPolledParts()
      // Restores the configuration after a low-latency source.
      player.configure(configuration)
      const updatePeriod = growsUntil === null ? reloadSeconds : growingReloadSeconds
      player.configure('manifest', {
        availabilityWindowOverride: playing.windowSeconds,
        updatePeriod,
        hls: { ignoreManifestProgramDateTime: startAt === null || growsUntil !== null },
      })
      frameReader.clear()
      sampleEntries.clear()
      Object.assign(segments, { last: null, received: 0 })
      pending.startAt = startAt
      await player.load(url, null, 'application/x-mpegurl')
      frameReader.readKept(videoStream()?.segmentIndex ?? [])
      // The parser needs this mode only at first. Later it would retry a failing server ten times a second.
      player.configure('streaming.lowLatencyMode', false)
    },
    async unload() {
      playing.load += 1
      await empty()
    },
    async destroy() {
      pace.restart()
      await player.destroy()
    },
    setRate(rate) {
      player.configure('streaming', bufferingAt(rate))
      if (rate === 1 || rate < 0) player.cancelTrickPlay()
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
      const end = endOf(index)
      // Of the first playlist there is no event.
      if (!liveEnd.isKnown()) noteLiveEnd()
      if (placed.index !== index || placed.count !== count || placed.evicted !== evicted || placed.end !== end) {
        const current = index === null || count === 0 ? [] : timelineSegments(index)
        Object.assign(placed, { index, count, evicted, end, segments: current })
      }
      return placed.segments
    },
    segmentsReceived: () => segments.received,
    refusedCodec: () => refusedCodec([...sampleEntries], canPlay),
    seekRange: () => player.seekRange(),
    // shaka keeps the live edge of the first playlist, however late that arrived, as it locks its timeline then.
    liveAt: () =>
      playing.holdBack > 0 && liveEnd.isKnown()
        ? liveEnd.at(performance.now() / 1000) - playing.holdBack
        : player.seekRange().end,
    isLowLatency: () => playing.isLowLatency,
    stats() {
      const stats = player.getStats()
      const track = player.getVariantTracks().find((one) => one.active)
      return {
        codecs: track?.codecs ?? '',
        width: stats.width || 0,
        height: stats.height || 0,
        framesPerSecond: table.rateAt(video.currentTime) ?? track?.frameRate ?? null,
        bitsPerSecond: stats.streamBandwidth || 0,
        droppedFrames: stats.droppedFrames || 0,
        decodedFrames: stats.decodedFrames || 0,
        lastSegment: segments.last,
      }
    },
  }
}
