import { useEffect, useRef } from 'react'
import type { Stills } from '../../api/browser/stills.ts'
import { stillsOf } from '../../machines/timeline/stills.ts'
import type { ThumbnailsRef } from '../../machines/timeline/thumbnails.machine.ts'
import type { TimelineContext } from '../../machines/timeline/timeline.context.ts'
import type { TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import { paintStills, stripHeight } from './paint-stills.ts'
import { watchSurface } from './surface.ts'
import styles from './ThumbnailStrip.module.css'

interface ThumbnailStripProps {
  timeline: TimelineRef
  thumbnails: ThumbnailsRef
  stills: Stills
}

/** Stills of the archive along the timeline, drawn without React. Decorative, as the slider describes each moment. */
export function ThumbnailStrip({ timeline, thumbnails, stills }: ThumbnailStripProps) {
  const canvas = useRef<HTMLCanvasElement>(null)

  useEffect(() => {
    if (canvas.current === null) return undefined
    const painted = { period: null as TimelineContext['period'] | null, intervals: null as unknown, version: -1 }
    /** The moments that were reported last. */
    let viewed = ''
    let frame = 0
    const { surface, stop } = watchSurface(canvas.current, stripHeight, () => {
      painted.period = null
    })
    const draw = () => {
      frame = requestAnimationFrame(draw)
      const drawing = surface()
      if (drawing === null) return
      const { period, intervals } = timeline.getSnapshot().context
      const version = stills.version()
      if (painted.period === period && painted.intervals === intervals && painted.version === version) return
      Object.assign(painted, { period, intervals, version })
      const shown = stillsOf({ period, width: drawing.width, intervals })
      paintStills(drawing.ctx, drawing.width, shown, stills)
      const moments = shown.map(({ at }) => at)
      if (moments.join() === viewed) return
      viewed = moments.join()
      thumbnails.send({ type: 'thumbnails.viewed', moments })
    }
    draw()
    return () => {
      cancelAnimationFrame(frame)
      stop()
      thumbnails.send({ type: 'thumbnails.viewed', moments: [] })
    }
  }, [timeline, thumbnails, stills])

  return <canvas ref={canvas} className={styles.strip} aria-hidden="true" data-strip />
}
