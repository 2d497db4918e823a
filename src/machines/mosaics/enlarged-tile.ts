/** `enlarged`: the key of the enlarged tile. `typed`: the first digit of a number, to which a second may be added. */
export interface EnlargedTile {
  readonly enlarged: string | null
  readonly typed: string
}

/**
 * Enlarges the tile whose number is typed; tiles are numbered from 1 in the order of `keys`. The first digit takes
 * effect at once; if that tile is enlarged already, it shrinks. A second digit makes a number of two digits if there is
 * such a tile, else it begins a new number.
 */
export function withDigit({ enlarged, typed }: EnlargedTile, digit: string, keys: readonly string[]): EnlargedTile {
  const [byTwoDigits, byOneDigit] = [keys[Number(typed + digit) - 1], keys[Number(digit) - 1]]
  if (typed !== '' && byTwoDigits !== undefined) return { enlarged: byTwoDigits, typed: '' }
  if (byOneDigit === undefined) return { enlarged, typed: '' }
  return { enlarged: enlarged === byOneDigit ? null : byOneDigit, typed: digit }
}
