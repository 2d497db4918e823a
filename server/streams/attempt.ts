import { ConnectFailure, resolveHost } from '../media/address.ts'
import { ingestArguments, recipeFor, type Recipe } from '../media/encoding.ts'
import type { FailureReason } from '../media/failures.ts'
import type { Gateway } from '../media/gateway.ts'
import { openInput } from '../media/input.ts'
import { probeSource, type Tracks } from '../media/probe.ts'
import { parseSource, type NetworkSource } from '../media/source.ts'
import { liveScene, scenes } from '../demo/scenes.ts'

/** A command line that brings a source's pictures as fragmented MP4, and what must be kept beside it. */
export type Plan = { args: string[]; gateway?: Gateway; firstPictureAt?: number; words: string }

/** What was learned of a source on the first attempt, so that a reconnect needn't probe again. */
export type Memory = { tracks?: Tracks }

const words = (recipe: Recipe): string => {
  const video = recipe.video === 'copy' ? 'pictures copied' : 'pictures encoded again as H.264'
  const audio = { copy: 'sound copied', encode: 'sound encoded again as AAC', silence: 'silence in place of sound', none: 'no sound' }
  return `${video}, ${audio[recipe.audio]}`
}

const planNetwork = async (
  source: NetworkSource,
  options: { allowLoopback: boolean; hadSound: boolean; hasParts: boolean; signal: AbortSignal },
  memory: Memory,
): Promise<Plan | FailureReason> => {
  try {
    await resolveHost(source.host, options.allowLoopback)
  } catch (error) {
    return error instanceof ConnectFailure ? error.code : 'EHOSTUNREACH'
  }
  const tracks = memory.tracks ?? (await probeSource(source, options.allowLoopback, 30_000, options.signal))
  if (typeof tracks === 'string') return tracks
  memory.tracks = tracks
  const recipe = recipeFor(tracks, options.hadSound)
  const { args, gateway } = await openInput(source, options.allowLoopback)
  return { args: ingestArguments(args, recipe, options.hasParts), gateway, words: words(recipe) }
}

/** Decides how to take a source in; the reason why not, where it can't be. */
export const planIngest = async (
  sourceText: string,
  options: { allowLoopback: boolean; hadSound: boolean; hasParts: boolean; now: number; signal: AbortSignal },
  memory: Memory,
): Promise<Plan | FailureReason> => {
  const source = parseSource(sourceText)
  if (typeof source === 'string') return 'ProbeError'
  if (source.kind === 'network') return planNetwork(source, options, memory)
  const scene = scenes.get(source.scene)
  if (scene === undefined) return 'EHOSTUNREACH'
  return { ...liveScene(scene, options.now, options.hasParts), words: 'a drawn scene' }
}
