import { fromPromise } from 'xstate'
import { getAnnotations, getRanges } from '../../api/resources/archive.ts'
import { timelineMachine } from '../../machines/timeline/timeline.machine.ts'
import { annotationsMachine, rangesMachine } from '../../machines/timeline/timeline.actors.ts'
import { coverage } from './coverage.ts'
import { visibility } from '../shared/visibility.ts'

export const ranges = rangesMachine.provide({
  actors: {
    loadChunks: fromPromise(({ input: { streamId, cells }, signal }) =>
      Promise.all(cells.map(async (cell) => ({ cell, reply: await getRanges(streamId, cell, signal) }))),
    ),
    visibility,
  },
})

/** The timeline with the server behind it. */
export const timeline = timelineMachine.provide({
  actors: {
    ranges,
    annotations: annotationsMachine.provide({
      actors: {
        loadChunks: fromPromise(({ input: { streamId, cells }, signal }) =>
          Promise.all(cells.map(async (cell) => ({ cell, reply: await getAnnotations(streamId, cell, signal) }))),
        ),
        visibility,
      },
    }),
    coverage,
  },
})
