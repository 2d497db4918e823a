import { ownerOf, weightsOf } from './fair-share.ts'

/** The archive of a stream now. `bytesPerDay`: what it adds; `depthDays` and `quotaBytes`: Infinity without a limit. */
export type ForecastInput = {
  uid: string
  owner: string | null
  isOfAdministrator: boolean
  bytes: number
  bytesPerDay: number
  depthDays: number
  quotaBytes: number
}

type Limit = 'days' | 'quota' | 'site' | 'disk' | 'none'

/**
 * The limit that will apply, and how many days the archive will then have; null if nothing is recorded or no limit
 * applies.
 */
export type RetentionForecast = { uid: string; limit: Limit; daysAhead: number | null }

type Demand = { want: number; weight: number }

/** Shares a budget by weight, at most what each asks for; the rest goes to the others. */
export const shareOut = <Each extends Demand>(demands: readonly Each[], budget: number): Map<Each, number> => {
  const given = new Map<Each, number>()
  let left = Math.max(0, budget)
  let weightLeft = demands.reduce((sum, { weight }) => sum + weight, 0)
  for (const demand of demands.toSorted((a, b) => a.want / a.weight - b.want / b.weight)) {
    const share = Math.min(demand.want, (left * demand.weight) / weightLeft)
    given.set(demand, share)
    if (left !== Infinity) left -= share
    weightLeft -= demand.weight
  }
  return given
}

const wantOf = ({ bytes, bytesPerDay, depthDays, quotaBytes }: ForecastInput): number =>
  bytesPerDay === 0 ? Math.min(bytes, quotaBytes) : Math.min(depthDays * bytesPerDay, quotaBytes)

const ownLimit = ({ bytesPerDay, depthDays, quotaBytes }: ForecastInput): Limit => {
  if (depthDays === Infinity) return quotaBytes === Infinity ? 'none' : 'quota'
  return bytesPerDay > 0 && quotaBytes < depthDays * bytesPerDay ? 'quota' : 'days'
}

/**
 * Forecasts how long archives will be at their current rates under the retention rules: depth and quota of a stream,
 * then fair shares of `siteBytes` and `diskBytes`, which are Infinity without a limit.
 */
export const forecastRetention = (
  streams: readonly ForecastInput[],
  siteBytes: number,
  diskBytes: number,
): RetentionForecast[] => {
  const owners = Map.groupBy(streams, ownerOf)
  const weights = weightsOf(new Map([...owners].map(([name, own]) => [name, own.length])))
  const demands = [...owners].map(([name, own]) => ({
    want: own.reduce((sum, stream) => sum + wantOf(stream), 0),
    weight: weights.get(name) ?? 1,
    own: own.map((stream) => ({ stream, want: wantOf(stream), weight: 1 })),
  }))
  const shared: Limit = siteBytes < diskBytes ? 'site' : 'disk'
  const all = [...shareOut(demands, Math.min(siteBytes, diskBytes))].flatMap(([{ own }, share]) =>
    [...shareOut(own, share)].map(([{ stream, want }, bytes]): RetentionForecast => {
      const days = stream.bytesPerDay === 0 ? Infinity : bytes / stream.bytesPerDay
      // The tolerance is for rounding errors of the divisions.
      const isShort = bytes < want * (1 - 1e-9)
      return {
        uid: stream.uid,
        limit: isShort ? shared : ownLimit(stream),
        daysAhead: Number.isFinite(days) ? days : null,
      }
    }),
  )
  const byUid = new Map(all.map((each) => [each.uid, each]))
  return streams.flatMap(({ uid }) => byUid.get(uid) ?? [])
}
