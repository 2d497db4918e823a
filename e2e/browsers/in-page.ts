/** An element by role and accessible name; `within` is the name of a region or dialog around it. */
export interface Target {
  readonly role: string
  readonly name: string
  readonly within?: string
  /** `name` is the beginning of the element's name. */
  readonly isPrefix?: boolean
}

export interface FoundElement {
  /** How many elements match; the rest is of the first one. */
  readonly count: number
  /** The centre, in CSS pixels of the window, after the element was scrolled into view. */
  readonly x: number
  readonly y: number
  readonly left: number
  readonly width: number
  /** Whether a click at the centre would reach it. */
  readonly isOnTop: boolean
  readonly isFocused: boolean
  readonly text: string
  readonly value: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Finds an element; runs in the page, where nothing of this module but types exists. */
export function locate({ role, name, within, isPrefix = false }: Target): FoundElement | null {
  const selectors: Readonly<Record<string, string>> = {
    article: 'article',
    button: 'button, [role=button]',
    combobox: '[role=combobox]',
    dialog: 'dialog, [role=dialog]',
    alertdialog: '[role=alertdialog]',
    gridcell: '[role=gridcell]',
    group: '[role=group], fieldset',
    heading: 'h1, h2, h3',
    link: 'a[href], [role=link]',
    listbox: '[role=listbox]',
    menuitem: '[role=menuitem]',
    menuitemradio: '[role=menuitemradio]',
    option: '[role=option]',
    region: 'section[aria-label], [role=region]',
    slider: '[role=slider], input[type=range]',
    textbox: 'input, textarea',
  }
  const wordsOf = (one: Element | null): string => {
    if (one === null) return ''
    // Copies into another document: in this one the copy of a `<video>` would load its media.
    const copy = document.implementation.createHTMLDocument().importNode(one, true)
    if (!(copy instanceof Element)) return ''
    for (const part of copy.querySelectorAll('[aria-hidden=true], [hidden], style')) part.remove()
    return (copy.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
  }
  const nameOf = (one: Element): string => {
    const by = one.getAttribute('aria-labelledby')
    if (by !== null)
      return by
        .split(/\s+/)
        .map((id) => wordsOf(document.getElementById(id)))
        .join(' ')
    const label = one.getAttribute('aria-label')
    if (label !== null) return label
    if (one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement)
      return Array.from(one.labels ?? [], wordsOf).join(' ')
    return wordsOf(one)
  }
  const isNamed = (one: Element, expected: string, isStartOfName: boolean) =>
    isStartOfName ? nameOf(one).startsWith(expected) : nameOf(one) === expected
  const shown = (selector: string, root: ParentNode) =>
    [...root.querySelectorAll(selector)].filter((one) => one.checkVisibility({ visibilityProperty: true }))
  const around = `${selectors['region']}, ${selectors['dialog']}, ${selectors['alertdialog']}, article, header, nav`
  const roots = within === undefined ? [document] : shown(around, document).filter((one) => isNamed(one, within, false))
  const all = roots
    .flatMap((root) => shown(selectors[role] ?? `[role=${role}]`, root))
    .filter((one) => isNamed(one, name, isPrefix))
  const [first] = all
  if (first === undefined) return null
  const isWithin = ({ top, bottom, left, right }: DOMRect) =>
    top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
  if (!isWithin(first.getBoundingClientRect()))
    first.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
  const { left, top, width, height } = first.getBoundingClientRect()
  const [x, y] = [left + width / 2, top + height / 2]
  const hit = document.elementFromPoint(x, y)
  return {
    count: all.length,
    x,
    y,
    left,
    width,
    isOnTop: hit !== null && (first.contains(hit) || (hit.contains(first) && hit.closest('label') !== null)),
    isFocused: first.contains(document.activeElement),
    text: wordsOf(first),
    value: first instanceof HTMLInputElement || first instanceof HTMLTextAreaElement ? first.value : '',
    attributes: Object.fromEntries(Array.from(first.attributes, (each) => [each.name, each.value])),
  }
}
