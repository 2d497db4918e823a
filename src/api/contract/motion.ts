import * as z from 'zod/mini'
import { Box } from './box.ts'
import { atMost, instant, list, numberOr, queryInteger, text } from './wire.ts'

const fraction = String.raw`[01](?:\.\d{1,6})?`

/** `x,y,w,h`: a rectangle in fractions of the picture. */
const areaText = z.codec(atMost(40).check(z.regex(new RegExp(`^${fraction}(?:,${fraction}){3}$`))), Box, {
  decode: (value) => {
    const [x = 0, y = 0, w = 0, h = 0] = value.split(',').map(Number)
    return { x, y, w, h }
  },
  encode: ({ x, y, w, h }) => [x, y, w, h].map((each) => Number(each.toFixed(6))).join(),
})

export const maxMotionDays = 31
/** GET /v1/stream/{uid}/archive/motion (feature `motion`). `sensitivity`: 1 to 100, 50 by default. */
export const MotionQuery = z.object({
  from: instant,
  to: instant,
  area: z.optional(areaText),
  sensitivity: z.optional(queryInteger),
})

/** `source`: `picture`, from the motion index, or `size`, from the size of the video, without the area. */
const Found = z.object({ startTime: instant, endTime: instant, source: text })

/**
 * `items`: ranges with motion, oldest first; `score` from 0 to 1. `coverage`: what was searched, and by which source;
 * the rest is not recorded. `searchedUntil`: less than `to` if there is more than an answer holds. `indexedUntil`: the
 * end of the motion index, null without one.
 */
export const MotionAnswer = z.object({
  items: list(z.extend(Found, { score: numberOr(0) })),
  coverage: list(Found),
  searchedUntil: instant,
  indexedUntil: z.nullish(instant),
})
export type MotionAnswer = z.output<typeof MotionAnswer>
export type FoundMotion = MotionAnswer['items'][number]
