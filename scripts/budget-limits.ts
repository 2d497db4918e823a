/** The bytes of first screens at most, however far docs/figures.md has let them grow; gzip, without shaka. */
const limits: Readonly<Record<string, number>> = {
  'sign-in': 110_000,
  streams: 160_000,
  'player, without shaka': 200_000,
}
const tolerated = 1.01

/** Why a first screen is too large; null if it isn't. `recorded`: its bytes in docs/figures.md. */
export function excessOf({ name, bytes }: { name: string; bytes: number }, recorded: number): string | null {
  const limit = limits[name] ?? Number.POSITIVE_INFINITY
  if (bytes > limit) return `more than its limit of ${limit}`
  return bytes > recorded * tolerated ? `more than 1 % beyond the ${recorded} of docs/figures.md` : null
}
