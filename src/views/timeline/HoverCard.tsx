import { useCallback, useEffect, useImperativeHandle, useRef, type Ref } from 'react'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { previewMomentOf } from '../../machines/timeline/hover-preview.machine.ts'
import { lengthOf, xToTime } from '../../machines/timeline/timeline-geometry.ts'
import type { TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import { whatIsAt, type BandWords } from './band-loop.ts'
import styles from './HoverCard.module.css'

/** `x` in pixels from the left edge of the band; null hides the card. */
export interface HoverHandle {
  show(x: number | null): void
}

interface HoverCardProps {
  ref: Ref<HoverHandle>
  actor: TimelineRef
  words: BandWords
}

/** Annotations this near to the pointer are described with its moment. */
const reachPx = 4

/** The time under the pointer and, if it is recorded, its preview. Moves without React. */
export function HoverCard({ ref, actor, words }: HoverCardProps) {
  const line = useRef<HTMLDivElement>(null)
  const card = useRef<HTMLDivElement>(null)
  const picture = useRef<HTMLImageElement>(null)
  const text = useRef<HTMLSpanElement>(null)
  const previewKey = useRef<number | null>(null)
  const shown = useRef<{ readonly x: number; readonly period: TimeRange } | null>(null)

  useEffect(() => {
    const preview = actor.getSnapshot().children.hoverPreview
    const subscription = preview?.subscribe(({ context: { pictures } }) => {
      if (previewKey.current !== null) showPicture(picture.current, pictures.get(previewKey.current) ?? null)
    })
    return () => {
      subscription?.unsubscribe()
      preview?.send({ type: 'preview.cancelled' })
    }
  }, [actor])

  const show = useCallback(
    (x: number | null) => {
      if (line.current === null || card.current === null) return
      const { context, children } = actor.getSnapshot()
      // The width is known after the first frame.
      const isShown = x !== null && context.width > 0
      line.current.hidden = !isShown
      card.current.hidden = !isShown
      shown.current = isShown ? { x, period: context.period } : null
      const cancelPreview = () => {
        if (previewKey.current === null) return
        previewKey.current = null
        children.hoverPreview?.send({ type: 'preview.cancelled' })
      }
      if (!isShown) {
        cancelPreview()
        return
      }
      const { period, width } = context
      const at = xToTime(period, width, x)
      const reachMs = (reachPx / width) * lengthOf(period)
      line.current.style.transform = `translateX(${x.toFixed(1)}px)`
      if (text.current !== null) text.current.textContent = words.describe(context, at, reachMs)
      if (whatIsAt(context, at, reachMs).type === 'fragment') {
        const moment = previewMomentOf(at, Math.max(1000, reachMs))
        if (moment.key !== previewKey.current) {
          previewKey.current = moment.key
          showPicture(picture.current, null)
          children.hoverPreview?.send({ type: 'preview.requested', ...moment })
        }
      } else {
        cancelPreview()
        showPicture(picture.current, null)
      }
      // Percentages are of the card's own width: measuring it would need a layout of the page.
      card.current.style.transform = `translateX(clamp(0px, ${x.toFixed(1)}px - 50%, ${width.toFixed(1)}px - 100%))`
    },
    [actor, words],
  )

  useImperativeHandle(ref, () => ({ show }), [show])

  /* The timeline also moves under a pointer that rests. */
  useEffect(() => {
    const subscription = actor.subscribe(({ context }) => {
      if (shown.current !== null && shown.current.period !== context.period) show(shown.current.x)
    })
    return () => subscription.unsubscribe()
  }, [actor, show])

  return (
    <>
      <div ref={line} className={styles.line} hidden aria-hidden="true" />
      <div ref={card} className={styles.card} hidden aria-hidden="true">
        <img ref={picture} className={styles.picture} alt="" hidden />
        <span ref={text} className={styles.text} />
      </div>
    </>
  )
}

function showPicture(picture: HTMLImageElement | null, url: string | null): void {
  if (picture === null) return
  picture.hidden = url === null
  if (url !== null && picture.src !== url) picture.src = url
}
