import { failureOfConnecting, resolveHost } from '../media/address.ts'
import { ingestArguments, recipeFor, type Recipe, type Tracks } from '../media/encoding.ts'
import type { FailureReason } from '../media/failures.ts'
import type { Gateway } from '../media/gateway.ts'
import { openConnectedInput } from '../media/input.ts'
import { probeSource } from '../media/probe.ts'
import { parseSource, type NetworkSource } from '../media/source.ts'
import { liveScene, scenes } from '../demo/scenes.ts'

export type Plan = { args: string[]; gateway?: Gateway; firstPictureAt?: number; words: string }

/** Tracks found by the first attempt, so that a reconnect needs no probe. */
export type Memory = { tracks?: Tracks }

type Options = {
  uid: string
  hasFailed: boolean
  allowLoopback: boolean
  hadSound: boolean
  signal: AbortSignal
}

/** A minute between keyframes, after a quick probe. */
const probeMs = 90_000

const words = (recipe: Recipe): string => {
  const video = recipe.video === 'copy' ? 'pictures copied' : 'pictures encoded again as H.264'
  const audio = {
    copy: 'sound copied',
    encode: 'sound encoded again as AAC',
    silence: 'silence in place of sound',
    none: 'no sound',
  }
  return `${video}, ${audio[recipe.audio]}`
}

const planNetwork = async (source: NetworkSource, options: Options, memory: Memory): Promise<Plan | FailureReason> => {
  if (memory.tracks === undefined) {
    const found = await resolveHost(source.host, options.allowLoopback).catch(failureOfConnecting)
    if (typeof found === 'string') return found
  }
  const asker = { kind: 'stream', uid: options.uid, hasFailed: options.hasFailed } as const
  const tracks = memory.tracks ?? (await probeSource(source, options.allowLoopback, asker, probeMs, options.signal))
  if (typeof tracks === 'string') return tracks
  memory.tracks = tracks
  const recipe = recipeFor(tracks, options.hadSound)
  const input = await openConnectedInput(source, options.allowLoopback, options.signal).catch(failureOfConnecting)
  if (typeof input === 'string') return input
  const { args, gateway } = input
  return { args: ingestArguments(args, recipe, tracks), gateway, words: words(recipe) }
}

export const planIngest = async (
  sourceText: string,
  options: Options & { now: number },
  memory: Memory,
): Promise<Plan | FailureReason> => {
  const source = parseSource(sourceText)
  if (typeof source === 'string') return 'ProbeError'
  if (source.kind === 'network') return planNetwork(source, options, memory)
  const scene = scenes.get(source.scene)
  if (scene === undefined) return 'EHOSTUNREACH'
  return { ...liveScene(scene, options.now), words: 'a drawn scene' }
}
