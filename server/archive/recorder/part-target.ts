/** Parts of up to this many seconds are short. */
const shortSeconds = 0.5
/** Where most are longer, as of a camera of few frames a second, they save latency if three or more make a segment. */
const maxSeconds = 2
const partsInSegment = 3

type Parts = readonly { duration: number }[]

const mostAreLonger = (parts: Parts, seconds: number): boolean =>
  2 * parts.filter(({ duration }) => duration > seconds).length > parts.length

/**
 * Returns a function that gives the PART-TARGET of listed parts, in seconds; undefined where most are too long for the
 * longest segment. It never falls, except after a single long part, as of a lost packet: that would hold live back for
 * good.
 */
export const createPartTarget = (): ((parts: Parts, segmentSeconds: number) => number | undefined) => {
  let usual = 0
  return (parts, segmentSeconds) => {
    const areLong = mostAreLonger(parts, shortSeconds)
    const limit = areLong ? Math.min(segmentSeconds / partsInSegment, maxSeconds) : shortSeconds
    if (parts.length === 0 || mostAreLonger(parts, limit)) return undefined
    const longest = Math.ceil(Math.max(...parts.map(({ duration }) => duration)) * 1000 - 0.001) / 1000
    if (longest <= limit) usual = Math.max(usual, longest)
    return Math.max(usual, longest)
  }
}
