import { type FocusEvent, type PointerEvent, useEffect, useState } from 'react'
import { overlays } from './overlays.ts'

/** `warm`: for so long after one tooltip, the next one opens without delay. */
const delaysMs = { open: 500, close: 80, warm: 500 } as const

/** Only one tooltip is open at a time: `hide` closes it. */
const shared: { hide: () => void; isWarm: boolean; warmTimer?: ReturnType<typeof setTimeout> } = {
  hide: () => {},
  isWarm: false,
}

function createTip(setOpen: (isOpen: boolean) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const show = () => {
    clearTimeout(timer)
    if (shared.hide !== hide) shared.hide()
    clearTimeout(shared.warmTimer)
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
    clearTimeout(shared.warmTimer)
    shared.warmTimer = setTimeout(() => {
      shared.isWarm = false
    }, delaysMs.warm)
    setOpen(false)
  }
  const leave = (isAtOnce = false) => {
    isOver = false
    clearTimeout(timer)
    if (isAtOnce) hide()
    else timer = setTimeout(hide, delaysMs.close)
  }
  return {
    hide,
    leave,
    /** The pointer moved on to the tooltip itself: it stays open. */
    stay: () => clearTimeout(timer),
    events: {
      /** Not as soon as the pointer enters: a button can also appear below a pointer that rests. */
      onPointerMove({ pointerType }: PointerEvent) {
        if (isOver || pointerType === 'touch') return
        isOver = true
        clearTimeout(timer)
        void overlays.load().catch(() => null)
        if (shared.isWarm) show()
        else timer = setTimeout(show, delaysMs.open)
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
