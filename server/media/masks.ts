import { crc32 } from 'node:zlib'
import * as z from 'zod/mini'
import { Box } from '../../src/api/contract/box.ts'
import { jsonColumn } from '../store/json-column.ts'
import type { Mask } from '../../src/api/contract/masks.ts'

export type Masks = readonly Mask[]

/** Masks as text in a row. */
export const maskList = jsonColumn(z.array(Box))

const digits = 6
/** Even numbers of pixels, as expressions of ffmpeg. `size`: `iw` or `ih`; `share`: of the width or height. */
const roundedDown = (size: string, share: number): string => `2*floor(${size}*${share.toFixed(digits)}/2)`
const roundedUp = (size: string, share: number): string => `2*ceil(${size}*${Math.min(1, share).toFixed(digits)}/2)`

/**
 * A filter of ffmpeg that paints masks black, rounded outwards to whole pixels of the colour planes. Empty without any.
 */
export const maskFilter = (masks: Masks): string =>
  masks
    .map(({ x, y, w, h }) => {
      const [left, top] = [roundedDown('iw', x), roundedDown('ih', y)]
      const [width, height] = [`${roundedUp('iw', x + w)}-${left}`, `${roundedUp('ih', y + h)}-${top}`]
      return `drawbox=x=${left}:y=${top}:w=${width}:h=${height}:color=black:t=fill`
    })
    .join(',')

/** A short text that identifies masks in keys and ETags. Empty without masks. */
export const masksKey = (masks: Masks): string =>
  masks.length === 0 ? '' : `-m${crc32(JSON.stringify(masks.map(({ x, y, w, h }) => [x, y, w, h]))).toString(36)}`
