import * as z from 'zod/mini'

export const fraction = z.number().check(z.gte(0), z.lte(1))
/** A rectangle from the upper left corner of the picture, in fractions of its width and height. */
export const Box = z.object({ x: fraction, y: fraction, w: fraction, h: fraction })
export type Box = z.output<typeof Box>
