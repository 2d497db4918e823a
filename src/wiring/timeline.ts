import { fromCallback, fromPromise } from 'xstate'
import { watchVisibility } from '../api/browser/visibility.ts'
import { getAnnotations, getArchiveStats, getAvailableDays, getRanges } from '../api/resources/archive.ts'
import { timelineMachine } from '../machines/timeline/timeline.machine.ts'
import { annotationsMachine, rangesMachine } from '../machines/timeline/timeline.actors.ts'
import { coverageMachine } from '../machines/timeline/coverage.machine.ts'

const visibility = fromCallback(({ sendBack }) =>
  watchVisibility((hidden) => sendBack({ type: hidden ? 'page.hidden' : 'page.shown' })),
)

/** The timeline with the server behind it. */
export const timeline = timelineMachine.provide({
  actors: {
    ranges: rangesMachine.provide({
      actors: {
        loadTiles: fromPromise(({ input: { streamId, cells }, signal }) =>
          Promise.all(cells.map(async (cell) => ({ cell, reply: await getRanges(streamId, cell, signal) }))),
        ),
        visibility,
      },
    }),
    annotations: annotationsMachine.provide({
      actors: {
        loadTiles: fromPromise(({ input: { streamId, cells }, signal }) =>
          Promise.all(cells.map(async (cell) => ({ cell, reply: await getAnnotations(streamId, cell, signal) }))),
        ),
        visibility,
      },
    }),
    coverage: coverageMachine.provide({
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
    }),
  },
})
