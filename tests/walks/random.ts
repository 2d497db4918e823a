/** Numbers by chance that the same seed repeats (mulberry32). */
export interface Random {
  /** A whole number from 0 up to, and not including, `limit`. */
  below(limit: number): number
  chance(probability: number): boolean
  /** Null where there is nothing to choose from. */
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
