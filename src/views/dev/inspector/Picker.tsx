import { memo, useEffect, useRef, type ComponentType, type KeyboardEvent, type ReactNode } from 'react'
import shared from './Inspector.module.css'
import styles from './Picker.module.css'

interface PickerProps<Item> {
  label: string
  role: 'tree' | 'listbox'
  items: readonly Item[]
  keyOf: (item: Item) => string
  levelOf?: (item: Item) => number
  chosen: string | null
  onChoose: (item: Item) => void
  /** Renders an item, and again only if one of its fields changes. */
  Line: ComponentType<Item>
}

export function Picker<Item extends object>({
  label,
  role,
  items,
  keyOf,
  levelOf,
  chosen,
  onChoose,
  Line,
}: PickerProps<Item>) {
  const box = useRef<HTMLDivElement>(null)
  const index = items.findIndex((item) => keyOf(item) === chosen)

  useEffect(() => {
    if (chosen === null || box.current === null) return
    const item = box.current.querySelector<HTMLElement>(`[data-key="${CSS.escape(chosen)}"]`)
    item?.scrollIntoView({ block: 'nearest' })
    if (box.current.contains(box.current.ownerDocument.activeElement)) item?.focus()
  }, [chosen])

  return (
    <div ref={box} role={role} aria-label={label} className={shared.picker}>
      {items.map((item, position) => (
        <Row
          key={keyOf(item)}
          name={keyOf(item)}
          role={role === 'tree' ? 'treeitem' : 'option'}
          level={levelOf?.(item)}
          isChosen={position === index}
          hasTabStop={position === Math.max(0, index)}
          item={item}
          onPress={() => onChoose(item)}
        >
          {() => <Line {...item} />}
        </Row>
      ))}
    </div>
  )
}

interface RowProps {
  name: string
  role: 'treeitem' | 'option'
  level: number | undefined
  isChosen: boolean
  hasTabStop: boolean
  item: object
  onPress: () => void
  children: () => ReactNode
}

/** Renders again only if its item or another prop changes; functions are ignored. */
const Row = memo(
  function Row({ name, role, level, isChosen, hasTabStop, onPress, children }: RowProps) {
    return (
      <button
        type="button"
        data-key={name}
        role={role}
        aria-selected={isChosen}
        tabIndex={hasTabStop ? 0 : -1}
        aria-level={level}
        className={styles.item}
        onClick={onPress}
        onKeyDown={chooseByKey}
      >
        {children()}
      </button>
    )
  },
  ({ item: before, ...past }, { item, ...now }) => isSame(past, now) && isSame(before, item),
)

const isSame = (before: object, now: object): boolean =>
  Object.entries(now).every(([key, value]) => typeof value === 'function' || Object.is(Reflect.get(before, key), value))

function chooseByKey(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...(event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[data-key]') ?? [])]
  const index = rows.indexOf(event.currentTarget)
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  rows[Math.max(0, Math.min(rows.length - 1, next))]?.click()
}
