import { vi } from 'vitest'

/** An observer that never reports a change. */
class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return []
  }
}

/** What the console needs and jsdom lacks. */
export function supplement(): void {
  const nothing = () => undefined
  vi.stubGlobal('CSS', { escape: (value: string) => value.replaceAll(/[^\w-]/g, String.raw`\$&`) })
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: nothing, removeEventListener: nothing }))
  vi.stubGlobal('ResizeObserver', Observer)
  vi.stubGlobal('IntersectionObserver', Observer)
  vi.stubGlobal('scrollTo', nothing)
  Object.assign(Element.prototype, { scrollTo: nothing, scrollIntoView: nothing, checkVisibility: () => true })
}

/** Has every observed element come into sight at once. */
export function showAll(): void {
  vi.stubGlobal(
    'IntersectionObserver',
    class extends Observer {
      private readonly report: (entries: readonly object[]) => void
      constructor(report: (entries: readonly object[]) => void) {
        super()
        this.report = report
      }
      override observe(target?: Element) {
        this.report([{ target, isIntersecting: true }])
      }
    },
  )
}
