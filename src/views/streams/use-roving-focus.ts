import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { commandOf, pressedKey, streamListKeys } from '../../machines/keyboard/bindings.ts'
import { anchoredEntry, topShowing } from '../../machines/streams/scroll-anchor.ts'
import { type Layout, entryBeside } from '../../machines/streams/layout.ts'
import type { Choice } from './use-choice.ts'
import type { Scrolling } from './use-scrolling.ts'

/**
 * One tab stop for the whole list. The arrow keys, Home, End, Page Up and Page Down move it; Space selects its stream,
 * Ctrl A all streams. Its row stays rendered while it has the focus, as a placeholder until the stream is loaded.
 */
export function useRovingFocus(
  layout: Layout,
  scroller: React.RefObject<HTMLDivElement | null>,
  { viewport, scrollTo }: Scrolling,
  choice: Choice,
) {
  const [requested, setRequested] = useState(0)
  const [isInside, setInside] = useState(false)
  const isFocusDue = useRef(false)
  const current = Math.min(requested, Math.max(0, layout.entryCount - 1))
  const row = isInside ? layout.rowOf(current) : undefined

  const latestLayout = useRef(layout)
  useLayoutEffect(() => {
    const before = latestLayout.current
    latestLayout.current = layout
    setRequested((entry) => anchoredEntry(before, layout, entry) ?? entry)
  }, [layout])

  useLayoutEffect(() => {
    const element = scroller.current
    if (!isFocusDue.current || element === null) return
    const [before, top] = [viewport().top, topShowing(layout.rowOf(current), viewport())]
    if (top !== before) scrollTo(top)
    const target = element.querySelector<HTMLElement>(`[data-entry="${current}"]`)
    target?.focus({ preventScroll: true })
    isFocusDue.current = target === null || target.dataset.waiting !== undefined
  }, [current, layout, scroller, viewport, scrollTo])

  const moveTo = (entry: number) => {
    isFocusDue.current = entry !== current
    setRequested(entry)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const command = commandOf(streamListKeys, event.key)
    if (command === 'clear' && choice.count > 0) choice.onClear()
    if (!(event.target instanceof Element) || event.target.closest('[data-entry]') === null || event.altKey) return
    if (event.ctrlKey || event.metaKey) {
      if (pressedKey(event).toLowerCase() !== 'a' || !choice.all.isPossible) return
      event.preventDefault()
      choice.all.chooseAll()
      return
    }
    const screenful = Math.max(1, Math.floor(viewport().height / layout.geometry.itemHeight))
    if (command === undefined || command === 'clear') return
    if (command === 'first') moveTo(0)
    else if (command === 'last') moveTo(layout.entryCount - 1)
    else if (command === 'screenDown')
      moveTo(Math.min(layout.entryCount - 1, current + screenful * layout.geometry.columns))
    else if (command === 'screenUp') moveTo(Math.max(0, current - screenful * layout.geometry.columns))
    else if (command === 'select') choice.onChoose(current, event.shiftKey)
    else moveTo(entryBeside(layout, current, command))
    event.preventDefault()
  }
  const onFocus = ({ target }: React.FocusEvent) => {
    const entry = target.closest<HTMLElement>('[data-holds-entry]')?.dataset.holdsEntry
    setInside(entry !== undefined)
    if (entry !== undefined) setRequested(Number(entry))
  }
  const onBlur = ({ relatedTarget }: React.FocusEvent) => {
    if (!(relatedTarget instanceof Node) || scroller.current?.contains(relatedTarget) === true) return
    isFocusDue.current = false
    setInside(false)
  }
  return { current, row, onKeyDown, onFocus, onBlur }
}
