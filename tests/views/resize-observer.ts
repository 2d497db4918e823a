import { vi } from 'vitest'

/**
 * Replaces `ResizeObserver`: the function returned gives an observed element a width in CSS pixels and reports it. To
 * be undone with `vi.unstubAllGlobals`.
 */
export function stubResizeObserver(): (element: Element, width: number) => void {
  const reports = new Map<Element, () => void>()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly report: () => void
      constructor(report: () => void) {
        this.report = report
      }
      observe(element: Element) {
        reports.set(element, this.report)
      }
      disconnect() {}
    },
  )
  return (element, width) => {
    vi.spyOn(element, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, width, 30))
    reports.get(element)?.()
  }
}
