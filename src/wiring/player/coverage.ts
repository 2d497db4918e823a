import { fromPromise } from 'xstate'
import { getArchiveStats, getAvailableDays } from '../../api/resources/archive.ts'
import { coverageMachine } from '../../machines/timeline/coverage.machine.ts'
import { visibility } from '../shared/visibility.ts'

export const coverage = coverageMachine.provide({
  actors: {
    loadCoverage: fromPromise(async ({ input: { streamId, zone }, signal }) => {
      const stats = await getArchiveStats(streamId, signal)
      if (!stats.ok) return stats
      const { period } = stats.value
      if (period == null) return { ...stats, value: { recorded: null, days: [] } }
      const recorded = { from: period.startTime, to: period.endTime }
      const days = await getAvailableDays(streamId, recorded, zone, signal)
      return days.ok ? { ...days, value: { recorded, days: days.value.days } } : days
    }),
    visibility,
  },
})
