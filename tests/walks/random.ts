/** Random numbers, the same for the same seed (mulberry32). */
export interface Random {
  /** A random integer from 0 to `limit` − 1. */
  below(limit: number): number
  chance(probability: number): boolean
  /** A random element; null for an empty list. */
  pick<T>(from: readonly T[]): T | null
}

export function createRandom(seed: number): Random {
  const state = { word: seed >>> 0 }
  const next = () => {
    state.word = (state.word + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state.word ^ (state.word >>> 15), state.word | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, chance: (probability) => next() < probability, pick: (from) => from[below(from.length)] ?? null }
}
