import { vi } from 'vitest'

/** Of a window that is as large as its page asks for: nothing is ever seen to change. */
class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return []
  }
}

/** What the console asks of a browser and jsdom lacks. */
export function supplement(): void {
  const nothing = () => undefined
  vi.stubGlobal('CSS', { escape: (value: string) => value.replaceAll(/[^\w-]/g, String.raw`\$&`) })
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: nothing, removeEventListener: nothing }))
  vi.stubGlobal('ResizeObserver', Observer)
  vi.stubGlobal('IntersectionObserver', Observer)
  vi.stubGlobal('scrollTo', nothing)
  Object.assign(Element.prototype, { scrollTo: nothing, scrollIntoView: nothing })
}
