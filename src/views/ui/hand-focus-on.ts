const scope = 'form, section, fieldset, [role="dialog"], [role="alertdialog"], main'
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

/**
 * For the `ref` of a button that its own press may remove: the nearest control gets its focus, which browsers give to
 * the document. Two frames later, as a page or a dialog may move the focus itself.
 */
export function handFocusOn(button: HTMLElement | null): (() => void) | undefined {
  if (button === null) return undefined
  return () => {
    if (document.activeElement !== button) return
    const scopes: { element: HTMLElement; neighbours: HTMLElement[] }[] = []
    for (let at = button.closest<HTMLElement>(scope); at !== null; at = at.parentElement?.closest(scope) ?? null)
      scopes.push({ element: at, neighbours: neighboursOf(button, at) })
    const handOn = () => {
      if (document.activeElement !== document.body) return
      for (const { element, neighbours } of scopes)
        if ([...neighbours, ...element.querySelectorAll<HTMLElement>(focusable), element].some(take)) return
      document.querySelector('main')?.focus({ preventScroll: true })
    }
    requestAnimationFrame(() => requestAnimationFrame(handOn))
  }
}
