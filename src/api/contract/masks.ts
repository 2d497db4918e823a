import * as z from 'zod/mini'
import { Box } from './box.ts'

export const maxMasks = 16
/** Sums of floating-point fractions aren't exact. */
const rounding = 1e-9

/** A privacy mask (feature `masks`): a black rectangle, in fractions of the picture. */
export type Mask = Box
export const Masks = z.array(Box)

const isInPicture = ({ x, y, w, h }: Mask): boolean => w > 0 && h > 0 && x + w <= 1 + rounding && y + h <= 1 + rounding

/** The body of PUT /v1/stream/{uid}/masks: all masks of the stream. */
export const MasksBody = z.object({
  masks: z
    .array(Box.check(z.refine(isInPicture, 'Must be a rectangle within the picture')))
    .check(z.maxLength(maxMasks)),
})
export type MasksBody = z.output<typeof MasksBody>
