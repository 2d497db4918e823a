import { call, pathSegment } from '../call.ts'
import type { Box } from '../contract/box.ts'
import { MotionAnswer } from '../contract/motion.ts'
import type { TimeRange } from '../contract/time-range.ts'
import { iso } from './instant.ts'

/** `area` in fractions of the picture; `sensitivity`: 1 to 100. */
export interface MotionQuery extends TimeRange {
  uid: string
  area: Box
  sensitivity: number
}

const areaText = ({ x, y, w, h }: Box): string => [x, y, w, h].map((each) => Number(each.toFixed(4))).join()

/** Motion in an area of the picture, oldest first; only with the feature `motion`. 403 without `canViewArchive`. */
export const searchMotion = ({ uid, from, to, area, sensitivity }: MotionQuery, signal: AbortSignal) =>
  call(MotionAnswer, {
    path: `/v1/stream/${pathSegment(uid)}/archive/motion`,
    query: { from: iso(from), to: iso(to), area: areaText(area), sensitivity },
    signal,
  })
