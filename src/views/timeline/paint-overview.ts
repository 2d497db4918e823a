import type { TimeRange } from '../../api/contract/time-range.ts'
import type { DateLabel } from '../../machines/timeline/overview.ts'
import { timeToX } from '../../machines/timeline/timeline-geometry.ts'
import { fillSpan, type Spans } from './spans.ts'
import type { CanvasColours } from './canvas-colours.ts'

export type OverviewScene = {
  readonly period: TimeRange
  /** In px. */
  readonly width: number
  readonly now: number
  readonly spans: Spans
  /** The days with recordings, drawn paler than the known fragments. */
  readonly covered: readonly TimeRange[] | null
  readonly labels: readonly DateLabel[]
  readonly colours: CanvasColours
  readonly labelText: (label: DateLabel) => string
}

/** Pixels. */
export const overviewHeight = 26
const track = { top: 16, height: 7 }

export function paintOverview(ctx: CanvasRenderingContext2D, scene: OverviewScene): void {
  const { period, width, now, colours } = scene
  const x = (at: number) => timeToX(period, width, at)
  ctx.clearRect(0, 0, width, overviewHeight)
  ctx.fillStyle = colours.gap
  ctx.fillRect(0, track.top, Math.min(width, x(now)), track.height)
  ctx.fillStyle = colours.recorded
  ctx.globalAlpha = 0.5
  for (const { from, to } of scene.covered ?? []) {
    const left = Math.max(0, x(from))
    const right = Math.min(x(now), x(to))
    if (right > left) ctx.fillRect(left, track.top, Math.max(1, right - left), track.height)
  }
  ctx.globalAlpha = 1
  const { known, fragment } = scene.spans
  ctx.fillStyle = colours.gap
  for (const span of known) fillSpan(ctx, span, track.top, track.height)
  ctx.fillStyle = colours.recorded
  for (const span of fragment) fillSpan(ctx, span, track.top, track.height)
  paintLabels(ctx, scene)
}

function paintLabels(ctx: CanvasRenderingContext2D, { width, labels, colours, labelText }: OverviewScene): void {
  ctx.font = `500 10.5px ${colours.font}`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  let end = 0
  for (const label of labels) {
    ctx.fillStyle = colours.lineStrong
    ctx.fillRect(Math.round(label.x), 3, 1, track.top + track.height - 3)
    const text = labelText(label)
    const right = label.x + 4 + ctx.measureText(text).width
    if (label.x + 4 < end || right > width) continue
    ctx.fillStyle = colours.muted
    ctx.fillText(text, label.x + 4, 8)
    end = right + 6
  }
}
