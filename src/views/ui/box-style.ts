import type { Box } from '../../api/contract/box.ts'

export const percent = (share: number): string => `${share * 100}%`

/** Where a box lies on an element that has the size of the picture. */
export const boxStyle = ({ x, y, w, h }: Box) => ({
  left: percent(x),
  top: percent(y),
  width: percent(w),
  height: percent(h),
})
