/** Parts of up to this many seconds are short. */
const shortSeconds = 0.5
/** Where most are longer, as of a camera of few frames a second, they save latency if three or more make a segment. */
const maxSeconds = 2
const partsInSegment = 3
/** Listed long parts may be this much longer, so that a timestamp a little off doesn't end them. */
const slack = 1.25

type Parts = readonly { duration: number }[]

const mostAreLonger = (parts: Parts, seconds: number): boolean =>
  2 * parts.filter(({ duration }) => duration > seconds).length > parts.length

/**
 * Returns a function that gives the PART-TARGET of listed parts, in seconds; undefined where most are too long for the
 * longest segment. That of short parts, or of long ones, never falls, except after a single part that is longer, as of
 * a lost packet: that would hold live back for good.
 */
export const createPartTarget = (): ((parts: Parts, segmentSeconds: number) => number | undefined) => {
  const usual = { short: 0, long: 0 }
  return (parts, segmentSeconds) => {
    const kind = mostAreLonger(parts, shortSeconds) ? 'long' : 'short'
    const longLimit = Math.min(segmentSeconds / partsInSegment, maxSeconds) * (usual.long > 0 ? slack : 1)
    const limit = kind === 'long' ? longLimit : shortSeconds
    if (parts.length === 0 || mostAreLonger(parts, limit)) return undefined
    const longest = Math.ceil(Math.max(...parts.map(({ duration }) => duration)) * 1000 - 0.001) / 1000
    if (longest <= limit) usual[kind] = Math.max(usual[kind], longest)
    return Math.max(usual[kind], longest)
  }
}
