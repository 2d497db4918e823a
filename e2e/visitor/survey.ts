import type { Page as BrowserPage } from 'playwright/test'
import { dialogs, entriesFor } from './dialogs.ts'
import type { Screen } from './journeys.ts'
import { type Group, type Role, entrance, groups, may, mayOpen, pages, tabsFor } from './pages.ts'
import type { World } from './world.ts'

/** What the screen shows, as far as the model describes it. */
export interface Seen {
  path: string
  title: string
  headings: string[]
  /** The links of header and toolbar with their states; null without them. */
  banner: string[] | null
  toolbar: string[] | null
  dialogs: string[]
  /** The entries of the menu while it is open. */
  entries: string[]
  /** Which of the requested names the page has. */
  holds: string[]
  toasts: string[]
}

export const filled = (text: string, world: World): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(world, name)))

const groupOf = (page: string): Group | undefined =>
  Object.values(groups).find((group) => Object.hasOwn(group.pages, page))

/** The names to look for on a page: everything it has for any role, and its error. */
export function namesAt({ page }: Screen): string[] {
  const { controls, refusal } = pages[page] ?? entrance
  return [...Object.keys(controls), ...(typeof refusal === 'object' ? [refusal.message] : [])]
}

/** What a visitor should see in a state. */
export function expectedAt({ role, page, dialog }: Screen, world: World): Seen {
  const { path, title, heading, controls, refusal } = pages[page] ?? entrance
  const group = groupOf(page)
  const isOpen = role === null || mayOpen(role, page)
  const message = typeof refusal === 'object' ? refusal.message : ''
  const shown = isOpen
    ? Object.entries(controls).flatMap(([name, right]) => (role === null || may(role, right) ? [name] : []))
    : [message]
  const over = dialog === null ? undefined : dialogs[dialog]
  const hasShell = role !== null && group?.hasShell === true
  return {
    path: filled(path, world),
    title: filled(title, world),
    headings: [isOpen || group?.isTitled === true ? heading : message],
    banner: hasShell ? bannerOf(role, group, page) : null,
    toolbar: hasShell ? toolbarOf(role, group, page) : null,
    dialogs: over === undefined ? [] : [over.name],
    entries: role !== null && dialog === 'menu' ? entriesFor(role).map(({ name }) => name) : [],
    holds: shown,
    toasts: [],
  }
}

const marked = (name: string, isCurrent: boolean): string => (isCurrent ? `${name}, current` : name)

const bannerOf = (role: Role, { header }: Group, page: string): string[] => [
  'Sightline',
  ...header.map(({ name, currentOn }) => marked(name, currentOn.includes(page))),
  ...(may(role, 'addStreams') ? ['Add stream'] : []),
]

const toolbarOf = (role: Role, group: Group, page: string): string[] => [
  marked('All streams', page === 'streams'),
  ...(may(role, 'addStreams') ? [marked('Add stream', page === 'addStream')] : []),
  ...tabsFor(role, group).map(({ label, page: tab, isOpen }) =>
    isOpen ? marked(label, tab === page) : `${label}, disabled`,
  ),
]

/** Reads the screen at one moment. */
export const survey = (page: BrowserPage, names: readonly string[]): Promise<Seen> =>
  page.evaluate((asked) => {
    const textOf = (element: Element | null): string =>
      element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? ''
    const nameOf = (element: Element): string => {
      const labelled = element
        .getAttribute('aria-labelledby')
        ?.split(' ')
        .map((id) => textOf(document.querySelector(`[id="${id}"]`)))
      return element.getAttribute('aria-label') ?? labelled?.join(' ') ?? textOf(element)
    }
    const all = (selector: string): Element[] => [...document.querySelectorAll(selector)]
    const links = (selector: string): string[] | null => {
      if (document.querySelector(selector) === null) return null
      return all(`${selector} :is(a, [role="link"])`).map((link) => {
        const state =
          link.getAttribute('aria-current') === 'page'
            ? ', current'
            : link.getAttribute('aria-disabled') === 'true'
              ? ', disabled'
              : ''
        return textOf(link) + state
      })
    }
    const held = new Set(all('main :is(a, button, label, legend, h1, h2, [aria-label])').map(textOf))
    return {
      path: location.pathname.replace(/^\/ui(?=\/)/, ''),
      title: document.title,
      headings: all('h1').map(textOf),
      banner: links('header:has([aria-label="Menu"])'),
      toolbar: links('nav[aria-label="Toolbar"]'),
      dialogs: all('[role="dialog"], [role="alertdialog"]').map(nameOf),
      entries: all('[role="menuitem"]').map(textOf),
      holds: asked.filter((name) => held.has(name)),
      toasts: all('[aria-label="Notifications"] > *').map(textOf),
    }
  }, names)
