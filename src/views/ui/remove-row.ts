import { flushSync } from 'react-dom'

/**
 * Removes a row by its button, which takes the focus with it: the focus moves to the button of the next row, else of
 * the previous one, else to `rest`, which is near the list. Both are selectors.
 */
export function removeRow(buttons: string, rest: string, remove: () => void): void {
  const pressed = document.activeElement
  let area = pressed
  while (area !== null && area.querySelector(rest) === null) area = area.parentElement
  const found = () => [...(area?.querySelectorAll<HTMLElement>(buttons) ?? [])]
  const index = found().findIndex((button) => button === pressed)
  flushSync(remove)
  if (index === -1) return
  const left = found()
  const next = left[index] ?? left.at(-1) ?? area?.querySelector<HTMLElement>(rest)
  next?.focus({ preventScroll: true })
}
