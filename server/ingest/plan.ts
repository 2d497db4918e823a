import { failureOfConnecting, resolveHost } from '../media/address.ts'
import { ingestArguments, recipeFor, type Recipe, type Tracks } from '../media/encoding.ts'
import type { FailureReason } from '../media/failures.ts'
import type { Gateway } from '../media/gateway.ts'
import { openConnectedInput } from '../media/input.ts'
import { probeSource } from '../media/probe.ts'
import { parseSource, type NetworkSource } from '../media/source.ts'
import { liveScene, scenes } from '../demo/scenes.ts'

/** How to connect to a source. */
export type Plan = {
  /** Of ffmpeg. */
  args: string[]
  gateway?: Gateway
  /** The pictures are encoded. */
  encodes?: boolean
  /** Epoch milliseconds, of a demo scene. */
  firstPictureAt?: number
  /** How each track is recorded, for the stream's log. */
  summary: string
  /** Sound of the source is recorded. */
  mapsSound?: boolean
  /** The source offers other tracks than those that the plan was made for. */
  isOutdated?: () => boolean
}

/** The tracks that a probe found, kept so that a reconnect needs no probe. */
export type KnownTracks = { tracks?: Tracks }

/** A function that says whether the source offers other tracks than when they were probed, as with its sound now on. */
const outdatedCheck = (tracks: Tracks, gateway: Gateway) => (): boolean => {
  const offer = gateway.offer()
  if (offer === undefined) return false
  tracks.offer ??= offer
  return tracks.offer !== offer
}

/** Has the next attempts record the video alone. */
export const forgetSound = ({ tracks }: KnownTracks): void => {
  if (tracks !== undefined) tracks.tracks = tracks.tracks.filter((track) => track.type !== 'audio')
}

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
  const recipe = recipeFor(tracks, options.hadSound)
  const input = await openConnectedInput(source, options.allowLoopback, options.signal).catch(failureOfConnecting)
  if (typeof input === 'string') return input
  const { args, gateway } = input
  const mapsSound = recipe.audio === 'copy' || recipe.audio === 'encode'
  return {
    args: ingestArguments(args, recipe, tracks),
    gateway,
    summary: summaryOf(recipe),
    encodes: recipe.video === 'encode',
    mapsSound,
    isOutdated: outdatedCheck(tracks, gateway),
  }
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
