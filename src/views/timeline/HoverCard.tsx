import { useEffect, useImperativeHandle, useRef, type Ref } from 'react'
import { lengthOf, xToTime } from '../../machines/timeline/timeline-geometry.ts'
import type { TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import { whatIsAt, type BandWords } from './band-loop.ts'
import { createPreviews, type Previews } from './previews.ts'
import styles from './Timeline.module.css'

export interface HoverHandle {
  /** Shows the moment under a pixel from the band's left edge; null shows nothing. */
  show(x: number | null): void
}

interface HoverCardProps {
  ref: Ref<HoverHandle>
  actor: TimelineRef
  words: BandWords
  preview: ((at: number, signal: AbortSignal) => Promise<Blob | null>) | undefined
}

/** The time under the pointer and, where it is recorded, the picture of that moment. Moves without React. */
export function HoverCard({ ref, actor, words, preview }: HoverCardProps) {
  const line = useRef<HTMLDivElement>(null)
  const card = useRef<HTMLDivElement>(null)
  const picture = useRef<HTMLImageElement>(null)
  const text = useRef<HTMLSpanElement>(null)
  const previews = useRef<Previews>(null)
  const wanted = useRef<number | null>(null)

  useEffect(() => {
    if (preview === undefined) return undefined
    const made = createPreviews(preview, (key, address) => {
      if (wanted.current === key) place(picture.current, address)
    })
    previews.current = made
    return () => {
      made.stop()
      previews.current = null
    }
  }, [preview])

  useImperativeHandle(
    ref,
    () => ({
      show(x) {
        const box = line.current?.parentElement
        if (line.current === null || card.current === null || box == null) return
        line.current.hidden = x === null
        card.current.hidden = x === null
        if (x === null) {
          wanted.current = null
          previews.current?.rest()
          return
        }
        const { context } = actor.getSnapshot()
        const width = box.clientWidth
        const at = xToTime(context.period, width, x)
        const reach = (4 / width) * lengthOf(context.period)
        line.current.style.transform = `translateX(${x.toFixed(1)}px)`
        if (text.current !== null) text.current.textContent = words.describe(context, at, reach)
        if (whatIsAt(context, at, reach).type === 'fragment') {
          const grain = Math.max(1000, reach)
          wanted.current = Math.round(at / grain)
          place(picture.current, previews.current?.want(Math.round(at), wanted.current) ?? null)
        } else {
          wanted.current = null
          previews.current?.rest()
          place(picture.current, null)
        }
        const half = card.current.offsetWidth / 2
        card.current.style.transform = `translateX(${(Math.min(width - half, Math.max(half, x)) - half).toFixed(1)}px)`
      },
    }),
    [actor, words],
  )

  return (
    <>
      <div ref={line} className={styles.hoverLine} hidden aria-hidden="true" />
      <div ref={card} className={styles.hoverCard} hidden aria-hidden="true">
        <img ref={picture} className={styles.picture} alt="" hidden />
        <span ref={text} className={styles.hoverText} />
      </div>
    </>
  )
}

function place(picture: HTMLImageElement | null, address: string | null): void {
  if (picture === null) return
  picture.hidden = address === null
  if (address !== null && picture.src !== address) picture.src = address
}
