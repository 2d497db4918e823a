import { ownerOf, weightsOf } from './fair-share.ts'

/** A stream's current archive. `bytesPerDay`: its rate; `depthDays` and `quotaBytes`: Infinity without a limit. */
export type ForecastInput = {
  uid: string
  owner: string | null
  isOfAdministrator: boolean
  bytes: number
  bytesPerDay: number
  depthDays: number
  quotaBytes: number
}

export type Limit = 'days' | 'quota' | 'site' | 'disk' | 'none'

/** Which limit applies in the end and how many days it leaves; null where nothing is recorded or no limit applies. */
export type RetentionForecast = { uid: string; limit: Limit; daysAhead: number | null }

type Wish = { want: number; weight: number }

/** Shares a budget by weight, at most what each asks for; the rest goes to the others. */
export const shareOut = <Each extends Wish>(wishes: readonly Each[], budget: number): Map<Each, number> => {
  const given = new Map<Each, number>()
  let left = Math.max(0, budget)
  let weights = wishes.reduce((sum, { weight }) => sum + weight, 0)
  for (const wish of wishes.toSorted((a, b) => a.want / a.weight - b.want / b.weight)) {
    const share = Math.min(wish.want, (left * wish.weight) / weights)
    given.set(wish, share)
    if (left !== Infinity) left -= share
    weights -= wish.weight
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
  const wishes = [...owners].map(([name, own]) => ({
    want: own.reduce((sum, stream) => sum + wantOf(stream), 0),
    weight: weights.get(name) ?? 1,
    own: own.map((stream) => ({ stream, want: wantOf(stream), weight: 1 })),
  }))
  const shared: Limit = siteBytes < diskBytes ? 'site' : 'disk'
  const all = [...shareOut(wishes, Math.min(siteBytes, diskBytes))].flatMap(([{ own }, share]) =>
    [...shareOut(own, share)].map(([{ stream, want }, bytes]): RetentionForecast => {
      const days = stream.bytesPerDay === 0 ? Infinity : bytes / stream.bytesPerDay
      // Rounding errors of repeated division.
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
