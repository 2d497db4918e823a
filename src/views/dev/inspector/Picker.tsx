import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import styles from './Inspector.module.css'

interface PickerProps<Item> {
  label: string
  role: 'tree' | 'listbox'
  items: readonly Item[]
  keyOf: (item: Item) => string
  levelOf?: (item: Item) => number
  chosen: string | null
  onChoose: (item: Item) => void
  children: (item: Item) => ReactNode
}

/** A list or a tree of which one is chosen, by a press or by the keys up, down, Home and End. */
export function Picker<Item>({ label, role, items, keyOf, levelOf, chosen, onChoose, children }: PickerProps<Item>) {
  const box = useRef<HTMLDivElement>(null)
  const index = items.findIndex((item) => keyOf(item) === chosen)

  useEffect(() => {
    if (chosen === null || box.current === null) return
    const item = box.current.querySelector<HTMLElement>(`[data-key="${CSS.escape(chosen)}"]`)
    item?.scrollIntoView({ block: 'nearest' })
    if (box.current.contains(box.current.ownerDocument.activeElement)) item?.focus()
  }, [chosen])

  const move = (event: KeyboardEvent) => {
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: items.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const item = items[Math.max(0, Math.min(items.length - 1, next))]
    if (item !== undefined) onChoose(item)
  }

  return (
    <div ref={box} role={role} aria-label={label} className={styles.picker}>
      {items.map((item, position) => (
        <button
          key={keyOf(item)}
          type="button"
          data-key={keyOf(item)}
          role={role === 'tree' ? 'treeitem' : 'option'}
          aria-selected={position === index}
          tabIndex={position === Math.max(0, index) ? 0 : -1}
          {...(levelOf === undefined ? {} : { 'aria-level': levelOf(item) })}
          className={styles.item}
          onClick={() => onChoose(item)}
          onKeyDown={move}
        >
          {children(item)}
        </button>
      ))}
    </div>
  )
}
