import type shakaTypes from 'shaka-player/dist/shaka-player.hls-es2021.js'

export type Shaka = typeof shakaTypes

const loading: { shaka: Promise<Shaka> | null } = { shaka: null }

/** Fetches and evaluates shaka, once. */
export function preloadEngine(): Promise<Shaka> {
  loading.shaka ??= import('shaka-player/dist/shaka-player.hls-es2021.js').then(
    ({ default: shaka }) => {
      // Shaka's other polyfills are for browsers older than the supported ones, or conflict with frames.ts.
      shaka.polyfill.Map.install()
      return shaka
    },
    (error: unknown) => {
      loading.shaka = null
      throw error
    },
  )
  return loading.shaka
}
