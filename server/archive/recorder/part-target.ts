/** Longer parts, in seconds, save no latency: so few frames a second come from the source. */
const maxPartSeconds = 0.5

/**
 * Returns a function that gives the PART-TARGET of listed parts, in seconds; undefined where most are too long. It
 * never falls, except after a single long part, as of a lost packet: that would hold live back for good.
 */
export const createPartTarget = (): ((parts: readonly { duration: number }[]) => number | undefined) => {
  let usual = 0
  return (parts) => {
    const longParts = parts.filter(({ duration }) => duration > maxPartSeconds).length
    if (parts.length === 0 || 2 * longParts > parts.length) return undefined
    const longest = Math.ceil(Math.max(...parts.map(({ duration }) => duration)) * 1000 - 0.001) / 1000
    if (longParts === 0) usual = Math.max(usual, longest)
    return Math.max(usual, longest)
  }
}
