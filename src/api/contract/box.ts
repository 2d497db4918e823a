import * as z from 'zod/mini'

export const share = z.number().check(z.gte(0), z.lte(1))
/** A rectangle from the upper left corner of the picture, in fractions of its width and height. */
export const Box = z.object({ x: share, y: share, w: share, h: share })
export type Box = z.output<typeof Box>
