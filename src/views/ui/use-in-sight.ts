import { type RefObject, useEffect } from 'react'

/** Reports the items whose elements are visible, first and after each change. The list has one child for each item. */
export function useInSight<Item>(
  list: RefObject<HTMLElement | null>,
  items: readonly Item[],
  onChange: (items: readonly Item[]) => void,
): void {
  useEffect(() => {
    const elements = [...(list.current?.children ?? [])]
    const inSight = new Set<Element>()
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) inSight.add(target)
        else inSight.delete(target)
      }
      const shown = new Set(elements.flatMap((element, index) => (inSight.has(element) ? [index] : [])))
      onChange(items.filter((_, index) => shown.has(index)))
    })
    for (const element of elements) observer.observe(element)
    return () => observer.disconnect()
  }, [list, items, onChange])
}
