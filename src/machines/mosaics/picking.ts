/** The enlarged tile, and the digits typed so far of a number that may have a second digit. */
export interface Picked {
  readonly enlarged: string | null
  readonly typed: string
}

/**
 * Enlarges the tile whose number is typed. The first digit takes effect at once, and typed again it shrinks the tile. A
 * second digit makes a number of two digits if there is such a tile, else it begins a new number.
 */
export function enlargedBy({ enlarged, typed }: Picked, digit: string, keys: readonly string[]): Picked {
  const [both, first] = [keys[Number(typed + digit) - 1], keys[Number(digit) - 1]]
  if (typed !== '' && both !== undefined) return { enlarged: both, typed: '' }
  if (first === undefined) return { enlarged, typed: '' }
  return { enlarged: enlarged === first ? null : first, typed: digit }
}
