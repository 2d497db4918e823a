import * as z from 'zod/mini'

/** An event of Chromium's trace format: times and durations in microseconds, `t…` in time of the processor. */
const Event = z.object({
  name: z.string(),
  ph: z.string(),
  ts: z.number(),
  dur: z.optional(z.number()),
  tdur: z.optional(z.number()),
  pid: z.number(),
  tid: z.number(),
})
const Trace = z.object({ traceEvents: z.array(Event) })

/** The page's own work for a frame: scripts, garbage collection, style, layout and the recording of what is painted. */
const work = new Set([
  'EventDispatch',
  'FireAnimationFrame',
  'TimerFire',
  'FunctionCall',
  'RunMicrotasks',
  'EvaluateScript',
  'MinorGC',
  'MajorGC',
  'V8.GCScavenger',
  'HitTest',
  'UpdateLayoutTree',
  'Layout',
  'PrePaint',
  'Paint',
  'IntersectionObserverController::computeIntersections',
])

/** What the browser adds: it hands the page's layers to the compositor, with their pixels where there is no GPU. */
const compositing = new Set(['Layerize', 'Commit'])

/** A frame ends with its commit; later work belongs to the next frame. */
const frameEnd = 'BeginCommitCompositorFrame'

export const traceCategories = [
  'devtools.timeline',
  'devtools.timeline.frame',
  'disabled-by-default-devtools.timeline',
  'v8',
]

/** Milliseconds of each frame of the busiest page. */
export interface FrameCosts {
  /** Its own work by the wall clock, which includes other work of the machine. */
  readonly wallMs: number[]
  /** Its own work by the processor time of its thread. */
  readonly processorMs: number[]
  /** What the browser adds, by processor time. */
  readonly compositingMs: number[]
}

export function frameCosts(trace: string): FrameCosts {
  const { traceEvents } = z.parse(Trace, JSON.parse(trace))
  const threads = Map.groupBy(traceEvents, ({ pid, tid }) => `${pid}.${tid}`)
  const frames = (events: typeof traceEvents) => events.filter(({ name }) => name === frameEnd)
  const [main = []] = [...threads.values()].toSorted((a, b) => frames(b).length - frames(a).length)
  const ends = frames(main)
    .map(({ ts }) => ts)
    .toSorted((a, b) => a - b)
  const busy = main
    .filter(({ name, ph }) => ph === 'X' && (work.has(name) || compositing.has(name)))
    .toSorted((a, b) => a.ts - b.ts)
  const [wallMs, processorMs, compositingMs] = [ends.map(() => 0), ends.map(() => 0), ends.map(() => 0)]
  let frame = 0
  let end = 0
  for (const { name, ts, dur = 0, tdur = 0 } of busy) {
    while (frame < ends.length && (ends[frame] ?? 0) <= ts) frame += 1
    const isNested = ts < end
    end = Math.max(end, ts + dur)
    if (isNested || frame >= ends.length) continue
    if (compositing.has(name)) compositingMs[frame] = (compositingMs[frame] ?? 0) + tdur / 1000
    else {
      wallMs[frame] = (wallMs[frame] ?? 0) + dur / 1000
      processorMs[frame] = (processorMs[frame] ?? 0) + tdur / 1000
    }
  }
  return { wallMs: wallMs.slice(1), processorMs: processorMs.slice(1), compositingMs: compositingMs.slice(1) }
}
