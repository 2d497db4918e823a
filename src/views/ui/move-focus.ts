import { dialogs } from './dialogs.ts'

const scope = `form, section, fieldset, ${dialogs}, main`
const focusable = 'a[href], button, input, select, textarea, [tabindex]'

const take = (element: HTMLElement): boolean => {
  if (element.isConnected) element.focus({ preventScroll: true })
  return document.activeElement === element
}

/** The controls of a scope, nearest to `button` first: those after it, then those before it. */
function neighboursOf(button: HTMLElement, within: Element): HTMLElement[] {
  const controls = [...within.querySelectorAll<HTMLElement>(focusable)]
  const at = controls.indexOf(button)
  return [...controls.slice(at + 1), ...controls.slice(0, Math.max(0, at)).toReversed()]
}

/** React Aria restores a focus in the next frame; after a press by assistive technology, one later. */
const framesOfOthers = 2

/** Moves a focus that something removed has left to the document, unless others move it. Returns what cancels this. */
export function ifFocusIsLost(move: () => void): () => void {
  let isCancelled = false
  const wait = (framesLeft: number): void => {
    requestAnimationFrame(() => {
      if (isCancelled) return
      if (framesLeft > 0) wait(framesLeft - 1)
      else if (document.activeElement === document.body) move()
    })
  }
  wait(framesOfOthers)
  return () => {
    isCancelled = true
  }
}

export const focusPage = () => document.querySelector('main')?.focus({ preventScroll: true })

/** A key that is still held has pressed the button that is gone: it must not press the next one. */
function ignoreRepeats(): void {
  const ending = new AbortController()
  const { signal } = ending
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.repeat) event.preventDefault()
    else ending.abort()
  }
  document.addEventListener('keydown', onKeyDown, { capture: true, signal })
  document.addEventListener('keyup', () => ending.abort(), { capture: true, signal })
}

/**
 * For the `ref` of a button that its own press by a key may remove: the nearest control gets its focus, which browsers
 * give to the document. After a press by a pointer nothing gets it, as a bar with the focus wouldn't fade.
 */
export function moveFocusOnUnmount(button: HTMLElement | null): (() => void) | undefined {
  if (button === null) return undefined
  return () => {
    if (document.activeElement !== button || !button.matches(':focus-visible')) return
    const scopes: { element: HTMLElement; neighbours: HTMLElement[] }[] = []
    for (let at = button.closest<HTMLElement>(scope); at !== null; at = at.parentElement?.closest(scope) ?? null)
      scopes.push({ element: at, neighbours: neighboursOf(button, at) })
    ifFocusIsLost(() => {
      ignoreRepeats()
      for (const { element, neighbours } of scopes)
        if ([...neighbours, ...element.querySelectorAll<HTMLElement>(focusable), element].some(take)) return
      focusPage()
    })
  }
}
