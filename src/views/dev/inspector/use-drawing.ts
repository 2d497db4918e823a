import { useEffect, useState } from 'react'
import type { Chart } from '../chart/chart-model.ts'
import type { Drawing } from '../chart/layout.ts'

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
