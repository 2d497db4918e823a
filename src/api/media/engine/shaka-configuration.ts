import type shakaTypes from 'shaka-player/dist/shaka-player.hls-es2021.js'
import { bufferingGoal } from '../live/live-edge.ts'
import type { Shaka } from './preload-engine.ts'

/** Times in milliseconds. */
const retryParameters = {
  maxAttempts: 2,
  baseDelay: 400,
  backoffFactor: 2,
  fuzzFactor: 0.5,
  timeout: 10_000,
  stallTimeout: 5000,
  connectionTimeout: 8000,
}

const segmentPrefetchLimit = 2

/**
 * `bufferingGoal` and `bufferBehind` in seconds. Backward playback seeks to each keyframe and needs no more ahead than
 * its segment; it keeps what forward playback has left behind the playhead, as it shows that next.
 */
export const bufferingAt = (rate: number) =>
  rate < 0
    ? { bufferingGoal: 0.1, bufferBehind: 30, segmentPrefetchLimit: 0 }
    : { bufferingGoal: bufferingGoal(rate), bufferBehind: rate > 2 ? 5 : 20, segmentPrefetchLimit }

export const configuration = {
  // shaka would otherwise download up to three segments, one after the other, to look for captions before it plays.
  manifest: { retryParameters, hls: { disableClosedCaptionsDetection: true } },
  streaming: {
    retryParameters: { ...retryParameters, maxAttempts: 3 },
    ...bufferingAt(1),
    rebufferingGoal: 0,
    lowLatencyMode: true,
    inaccurateManifestTolerance: 0,
    stallThreshold: 0.5,
    useNativeHlsForFairPlay: false,
  },
}

/** An ABR manager that reports the variants: the only way to their segment index without a warning on the console. */
export function listeningAbr(shaka: Shaka, onVariants: (variants: readonly shakaTypes.extern.Variant[]) => void) {
  const abr = new shaka.abr.SimpleAbrManager()
  const setVariants = abr.setVariants.bind(abr)
  return Object.assign(abr, {
    setVariants(...given: Parameters<typeof setVariants>) {
      onVariants(given[0])
      return setVariants(...given)
    },
  })
}
