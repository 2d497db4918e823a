import { type RefObject, useEffect } from 'react'

/** One child for each item: at first, while one scrolls, and when the list is another. */
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
