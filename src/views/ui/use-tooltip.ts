import { type FocusEvent, type PointerEvent, useEffect, useState } from 'react'
import { overlays } from './overlays.ts'

/** In ms. `warm` is how long after one tooltip the next one opens without delay. */
const delays = { open: 500, close: 80, warm: 500 } as const

/** One tooltip is open at a time. */
const shared: { hide: () => void; isWarm: boolean; cooling?: ReturnType<typeof setTimeout> } = {
  hide: () => {},
  isWarm: false,
}

function createTip(setOpen: (isOpen: boolean) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const show = () => {
    clearTimeout(timer)
    clearTimeout(shared.cooling)
    if (shared.hide !== hide) shared.hide()
    shared.hide = hide
    shared.isWarm = true
    if (overlays.loaded !== null) setOpen(true)
    else
      overlays.load().then(
        () => shared.hide === hide && setOpen(true),
        () => null,
      )
  }
  const hide = () => {
    clearTimeout(timer)
    if (shared.hide !== hide) return
    shared.hide = () => {}
    clearTimeout(shared.cooling)
    shared.cooling = setTimeout(() => {
      shared.isWarm = false
    }, delays.warm)
    setOpen(false)
  }
  const leave = (isAtOnce = false) => {
    isOver = false
    clearTimeout(timer)
    if (isAtOnce) hide()
    else timer = setTimeout(hide, delays.close)
  }
  return {
    hide,
    leave,
    /** The pointer came to the tooltip itself. */
    stay: () => clearTimeout(timer),
    events: {
      /** Not when it enters: a button may also come to lie below a pointer that rests. */
      onPointerMove({ pointerType }: PointerEvent) {
        if (isOver || pointerType === 'touch') return
        isOver = true
        clearTimeout(timer)
        void overlays.load().catch(() => null)
        if (shared.isWarm) show()
        else timer = setTimeout(show, delays.open)
      },
      onPointerLeave: () => leave(),
      onFocus({ currentTarget }: FocusEvent) {
        if (currentTarget.matches(':focus-visible')) show()
      },
      onBlur: () => leave(true),
    },
  }
}

/** A tooltip opens when the pointer rests on its button or the keyboard comes to it; a press or Escape closes it. */
export function useTooltip() {
  const [isOpen, setOpen] = useState(false)
  const [tip] = useState(() => createTip(setOpen))
  useEffect(() => tip.hide, [tip])
  useEffect(() => {
    if (!isOpen) return undefined
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      tip.hide()
    }
    document.addEventListener('keydown', close, true)
    return () => document.removeEventListener('keydown', close, true)
  }, [isOpen, tip])
  return { isOpen, ...tip }
}
