/** `enlarged`: the key of the enlarged tile. `typed`: the first digit of a number that may get a second one. */
export interface EnlargedTile {
  readonly enlarged: string | null
  readonly typed: string
}

/**
 * Enlarges the tile whose number is typed. The first digit takes effect at once, and typed again it shrinks the tile. A
 * second digit makes a number of two digits if there is such a tile, else it begins a new number.
 */
export function withDigit({ enlarged, typed }: EnlargedTile, digit: string, keys: readonly string[]): EnlargedTile {
  const [both, first] = [keys[Number(typed + digit) - 1], keys[Number(digit) - 1]]
  if (typed !== '' && both !== undefined) return { enlarged: both, typed: '' }
  if (first === undefined) return { enlarged, typed: '' }
  return { enlarged: enlarged === first ? null : first, typed: digit }
}
