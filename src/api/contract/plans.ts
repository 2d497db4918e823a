import * as z from 'zod/mini'
import { fraction } from './box.ts'
import { Stream } from './stream.ts'
import { items, key, list, numberOr, text } from './wire.ts'

export const maxPlanCameras = 300
/** Limits of a plan's picture: bytes, pixels of each side, pixels in total. */
export const maxPictureBytes = 4 * 1024 * 1024
export const maxPictureSide = 12_000
export const maxPicturePixels = 40_000_000

/**
 * Where a camera stands on a plan: `x` and `y` in fractions of the picture, from its upper left corner. `direction` is
 * where it looks, in degrees clockwise, 0 is up; absent: unknown. `fieldOfView` in degrees.
 */
const PlanCamera = z.object({
  streamId: z.string(),
  x: numberOr(0),
  y: numberOr(0),
  direction: z.optional(z.number()),
  fieldOfView: z.optional(z.number()),
})
export type PlanCamera = z.output<typeof PlanCamera>

/**
 * A floor plan (docs/wire.md §6.7) with those of its cameras that the caller may see. `width` and `height` are those of
 * the picture, in pixels; 0 without a picture. `picture` changes with the picture; '' without one. `streams`: only in
 * GET /v1/plan/{id}.
 */
export const Plan = z.object({
  id: z.string(),
  title: text,
  width: numberOr(0),
  height: numberOr(0),
  picture: text,
  cameras: list(PlanCamera),
  streams: z.optional(z.array(Stream)),
})
export type Plan = z.output<typeof Plan>
export const Plans = items(Plan)

const title = z.string().check(z.trim(), z.minLength(1), z.maxLength(200))
const cameras = z
  .array(
    z.object({
      streamId: key,
      x: fraction,
      y: fraction,
      direction: z.optional(z.number().check(z.minimum(0), z.maximum(360))),
      fieldOfView: z.optional(z.number().check(z.minimum(1), z.maximum(360))),
    }),
  )
  .check(z.maxLength(maxPlanCameras))

export const PlanBody = z.object({ title, cameras: z._default(cameras, []) })
export type PlanBody = z.input<typeof PlanBody>
/** `cameras` replaces the whole list. */
export const PlanPatch = z.object({ title: z.optional(title), cameras: z.optional(cameras) })
export type PlanPatch = z.input<typeof PlanPatch>
