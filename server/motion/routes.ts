import * as z from 'zod/mini'
import { maxMotionDays, MotionAnswer, MotionQuery } from '../../src/api/contract/motion.ts'
import type { ServerContext } from '../context.ts'
import { dayMs } from '../durations.ts'
import { timeRangeIsTooLong, validationError } from '../http/api-error.ts'
import { callerKey } from '../http/caller-key.ts'
import type { App } from '../http/fastify.ts'
import { whileOpen } from '../http/while-open.ts'
import { createSlots } from '../media/slots.ts'
import type { Site } from '../streams/site.ts'
import { subOf } from '../streams/substream.ts'
import type { Covered } from './hits.ts'
import { createMotionRows } from './motion-rows.ts'
import { createMotionSearch } from './search.ts'

const Uid = z.object({ uid: z.string() })
const wholePicture = { x: 0, y: 0, w: 1, h: 1 }
const defaultSensitivity = 50
const maxItems = 1000
/** Clients round the fractions of an area. */
const tolerance = 1e-5

const roundedScore = (score: number): number => Math.round(score * 100) / 100
const foundOf = ({ from, to, source }: Covered) => ({ startTime: from, endTime: to, source })

export const motionRoutes = (app: App, { features, store }: ServerContext, { index }: Site): void => {
  features.add('motion')
  const rows = createMotionRows(store)
  const search = createMotionSearch(index, rows)
  const slots = createSlots({ queue: 'motion', size: 2, runningEach: 1, waiting: 64, waitingEach: 8 })

  const indexedUntil = async (uid: string): Promise<number | null> => {
    const recordings = await Promise.all([subOf(uid), uid].map(index.recording))
    const ends = await Promise.all(recordings.map((each) => each && rows.indexedUntil(each.recording)))
    const known = ends.filter((end) => end !== undefined)
    return known.length === 0 ? null : Math.max(...known)
  }

  app.get(
    '/v1/stream/:uid/archive/motion',
    {
      config: { access: { to: 'viewArchive', from: 'params.uid' } },
      schema: { tags: ['archive'], params: Uid, querystring: MotionQuery, response: { 200: MotionAnswer } },
    },
    async (request, reply) => {
      const { uid } = request.params
      const { from, to, area = wholePicture, sensitivity = defaultSensitivity } = request.query
      if (to <= from) throw validationError({ to: 'Must be after the start' })
      if (to - from > maxMotionDays * dayMs) throw timeRangeIsTooLong(maxMotionDays * (dayMs / 1000))
      if (sensitivity < 1 || sensitivity > 100) throw validationError({ sensitivity: 'Out of range' })
      if (area.w === 0 || area.h === 0 || area.x + area.w > 1 + tolerance || area.y + area.h > 1 + tolerance)
        throw validationError({ area: 'Out of range' })
      const signal = whileOpen(reply)
      const caller = callerKey(request)
      const { items, coverage, searchedUntil } = await slots({ callers: () => [caller], signal }, () =>
        search({ uid, from, to, area, sensitivity, maxItems }, signal),
      )
      return {
        items: items.map((item) => ({ ...foundOf(item), score: roundedScore(item.score) })),
        coverage: coverage.map(foundOf),
        searchedUntil,
        indexedUntil: await indexedUntil(uid),
      }
    },
  )
}
