import { createElement, memo, useEffect, useLayoutEffect, useRef, useState, type ReactElement } from 'react'
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import type { Drawing } from '../chart/layout.ts'
import { marksOf, type Mark } from '../chart/picture.ts'
import shared from './Inspector.module.css'
import styles from './ChartView.module.css'
import { ToolButton } from './ToolButton.tsx'

const elementOf = ({ tag, attributes, content }: Mark, key: number): ReactElement =>
  createElement(tag, { ...attributes, key }, typeof content === 'string' ? content : content.map(elementOf))

/** Rendered once; attributes on its elements mark the active states and the last edges. */
const Picture = memo(function Picture({ drawing }: { drawing: Drawing }) {
  return <g>{marksOf(drawing).map(elementOf)}</g>
})

interface Lights {
  name: string
  active: readonly string[]
  walked: readonly string[]
  /** The log entry whose edges are marked; a new one makes them flash. */
  step: number
}

const flash = { duration: 700, easing: 'ease-out' }

/** The drawing with the active states and the last edges highlighted; edges flash when they are taken. */
function LitChart({ name, drawing, scale, active, walked, step }: Lights & { drawing: Drawing; scale: number }) {
  const svg = useRef<SVGSVGElement>(null)
  const key = active.join(' ')

  useLayoutEffect(() => {
    const lit = new Set(key.split(' '))
    for (const state of svg.current?.querySelectorAll<SVGElement>('[data-state]') ?? [])
      state.toggleAttribute('data-active', lit.has(state.dataset['state'] ?? ''))
    ;[...(svg.current?.querySelectorAll('[data-active]') ?? [])]
      .at(-1)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [key])

  useEffect(() => {
    for (const edge of svg.current?.querySelectorAll('[data-walked]') ?? []) edge.removeAttribute('data-walked')
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    for (const edge of walked.flatMap((id) => [
      ...(svg.current?.querySelectorAll(`[data-edge="${CSS.escape(id)}"]`) ?? []),
    ])) {
      edge.setAttribute('data-walked', String(step))
      if (!isStill) edge.animate([{ opacity: 0.2 }, { opacity: 1 }], flash)
    }
  }, [walked, step])

  return (
    <svg
      ref={svg}
      role="img"
      aria-label={`${name}: ${key}`}
      width={drawing.width * scale}
      height={drawing.height * scale}
      viewBox={`0 0 ${drawing.width} ${drawing.height}`}
    >
      <Picture drawing={drawing} />
    </svg>
  )
}

/** The statechart of a machine, which zooms and scrolls; `drawing` is null while it is laid out. */
export function ChartView({ drawing, ...lights }: Lights & { drawing: Drawing | null }) {
  const [scale, setScale] = useState(1)
  const frame = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    if (drawing !== null) setScale(fitting(drawing, frame.current))
  }, [drawing])

  return (
    <section className={shared.chart} aria-label={`Chart of ${lights.name}`}>
      <div className={styles.zoom}>
        <ToolButton label="Zoom out" icon={<ZoomOut size={16} />} onPress={() => setScale(scale / 1.25)} />
        <ToolButton label="Zoom in" icon={<ZoomIn size={16} />} onPress={() => setScale(scale * 1.25)} />
        <ToolButton
          label="Fit"
          icon={<Maximize size={16} />}
          onPress={() => drawing && setScale(fitting(drawing, frame.current))}
        />
      </div>
      <div ref={frame} className={styles.frame} role="region" aria-label="Chart, scrolls" tabIndex={0}>
        {drawing === null ? (
          <p className={shared.quiet}>Laying out…</p>
        ) : (
          <LitChart key={lights.name} {...lights} drawing={drawing} scale={scale} />
        )}
      </div>
    </section>
  )
}

/** The scale that fits the width, but not below a readable size. */
const fitting = ({ width }: Drawing, frame: HTMLElement | null): number =>
  Math.max(0.7, Math.min(1, ((frame?.clientWidth ?? width) - 16) / width))
