import { fromPromise } from 'xstate'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { getArchiveStats, getAvailableDays } from '../../api/resources/archive.ts'
import { coverageMachine, type CoverageReply } from '../../machines/timeline/coverage.machine.ts'
import { visibility } from '../shared/visibility.ts'

/** As far back as the calendar shows at once. */
const yearMs = 366 * 24 * 3600_000
const lastYear = (): TimeRange => ({ from: Date.now() - yearMs, to: Date.now() })

export async function loadCoverage(
  { streamId, zone }: { readonly streamId: string; readonly zone: string },
  signal: AbortSignal,
): Promise<CoverageReply> {
  const stats = await getArchiveStats(streamId, signal)
  if (!stats.ok && stats.apiError.status !== 404) return stats
  const period = stats.ok ? stats.value.period : null
  const recorded = period == null ? null : { from: period.startTime, to: period.endTime }
  const days = await getAvailableDays(streamId, recorded ?? lastYear(), zone, signal)
  if (days.ok) return { ...days, value: { recorded, days: days.value.days } }
  // A server without an archive may know no days either.
  if (stats.ok && recorded === null && days.apiError.status === 404) return { ...stats, value: { recorded, days: [] } }
  return recorded === null ? days : { ...days, recorded }
}

export const coverage = coverageMachine.provide({
  actors: { loadCoverage: fromPromise(({ input, signal }) => loadCoverage(input, signal)), visibility },
})
