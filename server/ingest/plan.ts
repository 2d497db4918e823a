import { failureOfConnecting, resolveHost } from '../media/address.ts'
import {
  encodedRate,
  ingestArguments,
  recipeFor,
  type Recipe,
  type SourceTrack,
  type Tracks,
} from '../media/encoding.ts'
import type { FailureReason } from '../media/failures.ts'
import type { Gateway } from '../media/gateway.ts'
import { isH265, type Init } from '../media/init.ts'
import { openConnectedInput, type Input } from '../media/input.ts'
import { probeSource } from '../media/probe.ts'
import type { IngestEnd } from '../media/ingest.ts'
import { parseSource, type NetworkSource } from '../media/source.ts'
import { liveScene, scenes } from '../demo/scenes.ts'

/** How to connect to a source. */
export type Plan = {
  /** The arguments of ffmpeg. */
  args: string[]
  gateway?: Gateway
  /** Whether the pictures are encoded. */
  encodes?: boolean
  /** The time of media time 0 of a demo scene, epoch milliseconds. */
  mediaZeroAt?: number
  /** How each track is recorded, for the stream's log. */
  summary: string
  /** Whether sound of the source is recorded. */
  mapsSound?: boolean
  /** Whether sound of the source would be recorded if it came. */
  awaitsSound?: boolean
  /** Makes the plan with other sound, by the same gateway. */
  again?: () => Plan
  /** Whether the source offers other tracks than those that the plan was made for. */
  isOutdated?: (init: Init) => boolean
}

type MaybePlan = Plan | undefined

/** The tracks that a probe found, kept so that a reconnect needs no probe. */
export type KnownTracks = { tracks?: Tracks }

/** A function that says whether the source offers other tracks than when they were probed, as with its sound now on. */
const otherOffer = (tracks: Tracks, gateway: Gateway) => (): boolean => {
  const offer = gateway.offer()
  if (offer === undefined) return false
  tracks.offer ??= offer
  return tracks.offer !== offer
}

/** The tracks with the sound that comes now; false if a probe has to find out what it is. */
const addSound = (tracks: Tracks, track: SourceTrack | undefined): boolean => {
  const known = tracks.tracks.find(({ type }) => type === 'audio')
  // Sound other than AAC has probably not changed since it was probed.
  const added = track ?? (known?.codec === 'aac' ? undefined : known)
  if (added === undefined) return false
  // A probe finds the rate only of sound that comes meanwhile. What is encoded again needs none.
  const decodable = { ...added, sampleRate: added.sampleRate ?? encodedRate }
  tracks.tracks = [...tracks.tracks.filter(({ type }) => type !== 'audio'), decodable]
  tracks.sound = undefined
  return true
}

/**
 * How recording goes on by the same gateway after the sound has stopped or come. Undefined if a new connection is
 * needed; `known` then says what it should record.
 */
export const planOtherSound = ({ gateway, again }: Plan, { kind }: IngestEnd, { tracks }: KnownTracks): MaybePlan => {
  if (tracks === undefined || (kind !== 'soundless' && kind !== 'soundStarted')) return undefined
  const transport = gateway?.transport()
  const sound = transport?.sound()
  // Only the relay of MPEG-TS knows whether sound comes.
  if (kind === 'soundless') tracks.sound = transport !== undefined && sound === undefined ? 'away' : 'unusable'
  else if (sound !== undefined && !addSound(tracks, sound.track)) return undefined
  return transport === undefined ? undefined : again?.()
}

/** `hasFailed`: the last attempt failed. `hadSound`: the newest run has sound. */
type Options = {
  uid: string
  hasFailed: boolean
  allowLoopback: boolean
  hadSound: boolean
  signal: AbortSignal
}

/** Enough for a keyframe a minute, after a first, quick probe. */
const probeMs = 90_000

const codecNames = new Map([
  ['h264', 'H.264'],
  ['hevc', 'H.265'],
  ['mjpeg', 'MJPEG'],
  ['aac', 'AAC'],
  ['pcm_alaw', 'G.711'],
  ['pcm_mulaw', 'G.711'],
  ['adpcm_g726', 'G.726'],
  ['adpcm_g726le', 'G.726'],
  ['opus', 'Opus'],
  ['mp3', 'MP3'],
])
const nameOf = (codec: string): string => codecNames.get(codec) ?? codec

const summaryOf = ({ video, audio, from }: Recipe): string => {
  const pictures =
    video === 'encode'
      ? `pictures encoded again from ${nameOf(from.video)} as H.264`
      : `${nameOf(from.video)} pictures copied`
  const sound = {
    copy: `${nameOf(from.audio)} sound copied`,
    encode: `sound encoded again from ${nameOf(from.audio)} as AAC`,
    silence: 'silence in place of sound',
    none: 'no sound',
  }
  return `${pictures}, ${sound[audio]}`
}

const planInput = ({ args, gateway }: Input, tracks: Tracks, hadSound: boolean): Plan => {
  const recipe = recipeFor(tracks, hadSound)
  const mapsSound = recipe.audio === 'copy' || recipe.audio === 'encode'
  const offersOther = otherOffer(tracks, gateway)
  return {
    args: ingestArguments(args, recipe, tracks),
    gateway,
    summary: summaryOf(recipe),
    encodes: recipe.video === 'encode',
    mapsSound,
    awaitsSound: !mapsSound && tracks.sound !== 'unusable',
    isOutdated: (init) => offersOther() || isH265(init.video) !== (recipe.video === 'copyH265'),
    again: () => planInput({ args, gateway }, tracks, hadSound || mapsSound),
  }
}

const planNetwork = async (
  source: NetworkSource,
  options: Options,
  known: KnownTracks,
): Promise<Plan | FailureReason> => {
  if (known.tracks === undefined) {
    const resolved = await resolveHost(source.host, options.allowLoopback).catch(failureOfConnecting)
    if (typeof resolved === 'string') return resolved
  }
  const requester = { kind: 'stream', uid: options.uid, hasFailed: options.hasFailed } as const
  const tracks = known.tracks ?? (await probeSource(source, options.allowLoopback, requester, probeMs, options.signal))
  if (typeof tracks === 'string') return tracks
  known.tracks = tracks
  const input = await openConnectedInput(source, options.allowLoopback, options.signal).catch(failureOfConnecting)
  if (typeof input === 'string') return input
  return planInput(input, tracks, options.hadSound)
}

/** A reason if there is no way to connect. */
export const planIngest = async (
  sourceText: string,
  options: Options & { now: number },
  known: KnownTracks,
): Promise<Plan | FailureReason> => {
  const source = parseSource(sourceText)
  if (typeof source === 'string') return 'ProbeError'
  if (source.kind === 'network') return planNetwork(source, options, known)
  const scene = scenes.get(source.scene)
  if (scene === undefined) return 'EHOSTUNREACH'
  return { ...liveScene(scene, options.now), summary: 'a drawn scene' }
}
