/** The tile picked by typing its number, and the digits of a number that another digit may continue. */
export interface Picked {
  readonly enlarged: string | null
  readonly typed: string
}

/**
 * A digit after others. The first picks at once, without a wait, and the same one again cancels; a second one
 * that follows soon makes a number of two digits if there is such a tile, and else begins anew.
 */
export function picked({ enlarged, typed }: Picked, digit: string, keys: readonly string[]): Picked {
  const [both, first] = [keys[Number(typed + digit) - 1], keys[Number(digit) - 1]]
  if (typed !== '' && both !== undefined) return { enlarged: both, typed: '' }
  if (first === undefined) return { enlarged, typed: '' }
  return { enlarged: enlarged === first ? null : first, typed: digit }
}
