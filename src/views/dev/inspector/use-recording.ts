import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Chart } from '../chart/chart-model.ts'
import type { Drawing } from '../chart/layout.ts'
import type { Recorder } from '../record/recorder.ts'

/** Counts the frames in which something was recorded: however many events come, the inspector draws once a frame. */
export function useRecording(recorder: Recorder, view: Window): number {
  const revision = useRef(0)
  const [subscribe] = useState(() => (listener: () => void) => {
    let frame = 0
    const leave = recorder.subscribe(() => {
      if (frame !== 0) return
      frame = view.requestAnimationFrame(() => {
        frame = 0
        revision.current += 1
        listener()
      })
    })
    return () => {
      leave()
      view.cancelAnimationFrame(frame)
    }
  })
  return useSyncExternalStore(subscribe, () => revision.current)
}

const drawings = new Map<string, Promise<Drawing>>()

/** elkjs is fetched with the first chart. */
async function draw(chart: Chart): Promise<Drawing> {
  const [{ default: Elk }, { drawingOf }] = await Promise.all([import('elkjs/lib/elk.bundled.js'), import('../chart/layout.ts')])
  const elk = new Elk()
  return drawingOf(chart, (graph) => elk.layout(graph))
}

/** The drawing of a chart, laid out once; null until it is. */
export function useDrawing(chart: Chart | null): Drawing | null {
  const [drawn, setDrawn] = useState<{ chart: Chart; drawing: Drawing } | null>(null)
  useEffect(() => {
    if (chart === null) return undefined
    let isWanted = true
    const drawing = drawings.get(chart.id) ?? draw(chart)
    drawings.set(chart.id, drawing)
    void drawing.then((drawing) => isWanted && setDrawn({ chart, drawing }))
    return () => {
      isWanted = false
    }
  }, [chart])
  return drawn?.chart === chart ? drawn.drawing : null
}
