import type { Gap } from '../site/recording.ts'
import type { Fault, FaultKind } from './faults.ts'

/** Seconds until another node records the cameras of one that is lost. */
export const failOverSeconds = 20
/** A hand-over lies within a beat and a group of pictures of its gap. */
const handOverWithinMs = 5000

/** That a node has held a camera since a moment. */
export type Tenure = { uid: string; node: string; since: number }

/**
 * Seconds that one camera lost: in gaps that a kind of fault or a hand-over explains, and beyond what may be lost.
 * `unexplained`: the gaps of the latter.
 */
export type Losses = { during: Map<FaultKind, number[]>; handOver: number[]; beyond: number; unexplained: Gap[] }

const isStop = ({ kind }: Fault): boolean => kind === 'kill' || kind === 'pause'
const secondsOf = ({ from, to }: Gap): number => (to - from) / 1000
/** A fault whose end never came lasts as long as a fail-over may. */
const isDuring = (gap: Gap, fault: Fault): boolean => {
  const lasted = isStop(fault) || Number.isNaN(fault.seconds) ? failOverSeconds : fault.seconds
  return gap.to >= fault.at && gap.from <= fault.at + lasted * 1000
}

const takeOne = <T>(list: T[], isWanted: (one: T) => boolean): T | undefined => {
  const index = list.findIndex(isWanted)
  return index === -1 ? undefined : list.splice(index, 1)[0]
}

/**
 * Attributes the gaps of a camera. Where another node took it over, one group of pictures may be lost; if its holder
 * was killed or paused, 20 s; without either, nothing. Each take-over and each fault explains one gap.
 */
export const lossesOf = (
  gaps: readonly Gap[],
  faults: readonly Fault[],
  tenures: readonly Tenure[],
  groupSeconds: number,
): Losses => {
  const holderAt = (at: number) => tenures.findLast(({ since }) => since <= at)?.node
  const stops = faults.filter(isStop)
  /** Whether the node that held the camera stopped; until the others notice, they hand cameras to it, too. */
  const hasStopped = (gap: Gap, { at, nodeId }: Fault): boolean =>
    holderAt(at) === nodeId ||
    tenures.some(({ node, since }) => node === nodeId && since > at && Math.abs(since - gap.from) <= handOverWithinMs)
  const others = faults.filter((fault) => !isStop(fault))
  const handOvers = tenures.map(({ since }) => since)
  const losses: Losses = { during: new Map(), handOver: [], beyond: 0, unexplained: [] }
  const allow = (gap: Gap): number => {
    const seconds = secondsOf(gap)
    const isNear = (since: number) => since >= gap.from - handOverWithinMs && since <= gap.to + handOverWithinMs
    if (seconds <= groupSeconds && takeOne(handOvers, isNear) !== undefined) {
      losses.handOver.push(seconds)
      return groupSeconds
    }
    const stop = takeOne(stops, (fault) => isDuring(gap, fault) && hasStopped(gap, fault))
    const cause = stop ?? others.find((fault) => isDuring(gap, fault))
    if (cause !== undefined) losses.during.set(cause.kind, [...(losses.during.get(cause.kind) ?? []), seconds])
    return stop === undefined ? 0 : failOverSeconds
  }
  for (const gap of gaps) {
    const seconds = Math.max(0, secondsOf(gap) - allow(gap))
    if (seconds > 0) losses.unexplained.push(gap)
    losses.beyond += seconds
  }
  return losses
}
