import { useCallback } from 'react'
import type { Mask } from '../../api/contract/masks.ts'
import { percent } from '../ui/box-style.ts'

/** Privacy masks over the picture of the `<video>` beside it, which may fill only a part of its box. */
export function MaskOverlay({ masks, className }: { masks: readonly Mask[]; className: string | undefined }) {
  const follow = useCallback((layer: SVGSVGElement | null) => {
    const video = layer?.parentElement?.querySelector('video')
    if (layer === null || video == null) return undefined
    const fit = () => {
      const { videoWidth, videoHeight } = video
      if (videoWidth > 0) layer.setAttribute('viewBox', `0 0 ${videoWidth} ${videoHeight}`)
    }
    fit()
    video.addEventListener('resize', fit)
    return () => video.removeEventListener('resize', fit)
  }, [])
  if (masks.length === 0) return null
  return (
    <svg ref={follow} className={className} aria-hidden="true">
      {masks.map(({ x, y, w, h }, index) => (
        <rect key={index} x={percent(x)} y={percent(y)} width={percent(w)} height={percent(h)} />
      ))}
    </svg>
  )
}
