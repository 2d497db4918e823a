import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Chart } from '../chart/chart-model.ts'
import type { Drawing } from '../chart/layout.ts'
import type { Recorder } from '../record/recorder.ts'

/** Between two updates of the inspector. */
const updateIntervalMs = 200

/** Counts updates: the first event updates at once, events shortly after it together. */
export function useRecording(recorder: Recorder, view: Window): number {
  const revision = useRef(0)
  const [subscribe] = useState(() => (listener: () => void) => {
    let [frame, timer] = [0, 0]
    let isDue = false
    const update = () => {
      frame = 0
      revision.current += 1
      listener()
      timer = view.setTimeout(() => {
        timer = 0
        if (isDue) request()
        isDue = false
      }, updateIntervalMs)
    }
    const request = () => {
      if (timer === 0 && frame === 0) frame = view.requestAnimationFrame(update)
      else isDue = timer !== 0
    }
    const unsubscribe = recorder.subscribe(request)
    return () => {
      unsubscribe()
      view.clearTimeout(timer)
      view.cancelAnimationFrame(frame)
    }
  })
  return useSyncExternalStore(subscribe, () => revision.current)
}

const drawings = new Map<string, Promise<Drawing>>()

async function draw(chart: Chart): Promise<Drawing> {
  const [{ default: Elk }, { drawingOf }] = await Promise.all([
    import('elkjs/lib/elk.bundled.js'),
    import('../chart/layout.ts'),
  ])
  const elk = new Elk()
  return drawingOf(chart, (graph) => elk.layout(graph))
}

export function useDrawing(chart: Chart | null): Drawing | null {
  const [drawn, setDrawn] = useState<{ chart: Chart; drawing: Drawing } | null>(null)
  useEffect(() => {
    if (chart === null) return undefined
    let isCurrent = true
    const drawing = drawings.get(chart.id) ?? draw(chart)
    drawings.set(chart.id, drawing)
    void drawing.then((drawing) => isCurrent && setDrawn({ chart, drawing }))
    return () => {
      isCurrent = false
    }
  }, [chart])
  return drawn?.chart === chart ? drawn.drawing : null
}
