import { Check } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import type { Named } from '../../machines/groups/group-values.ts'
import { useVisibleRows } from '../ui/use-visible-rows.ts'
import styles from './Groups.module.css'

const rowHeight = 36
/** The rows that Page Up and Page Down move by. */
const pageRows = 8

interface PickListProps {
  label: string
  options: readonly Named[]
  chosen: ReadonlySet<string>
  onToggle: (id: string) => void
}

/** A long list to select several options from: arrows, Home, End and Page keys move, Space and Enter select. */
export function PickList({ label, options, chosen, onToggle }: PickListProps) {
  const id = useId()
  const [position, setPosition] = useState(0)
  const { scroller, first, last } = useVisibleRows({ count: options.length, rowHeight })
  const active = Math.min(position, options.length - 1)
  const goTo = (index: number) => {
    const next = Math.max(0, Math.min(options.length - 1, index))
    setPosition(next)
    const element = scroller.current
    if (element === null) return
    const [top, bottom] = [next * rowHeight, (next + 1) * rowHeight]
    if (top < element.scrollTop) element.scrollTo({ top })
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTo({ top: bottom - element.clientHeight })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + pageRows,
      PageUp: active - pageRows,
      Home: 0,
      End: options.length - 1,
    }
    const target = moves[event.key]
    const option = options[active]
    if (target !== undefined) goTo(target)
    else if ((event.key === ' ' || event.key === 'Enter') && option !== undefined) onToggle(option.id)
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label={label}
      aria-multiselectable="true"
      aria-activedescendant={active >= first && active < last ? `${id}-${active}` : undefined}
      tabIndex={0}
      className={styles.picks}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: first * rowHeight }} />
      {options.slice(first, last).map((option, index) => (
        <button
          key={option.id}
          type="button"
          tabIndex={-1}
          id={`${id}-${first + index}`}
          role="option"
          aria-selected={chosen.has(option.id)}
          aria-setsize={options.length}
          aria-posinset={first + index + 1}
          className={`${styles.pick} ${first + index === active ? styles.active : ''}`}
          title={option.name || option.id}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => {
            setPosition(first + index)
            onToggle(option.id)
          }}
        >
          <span className={styles.tick} aria-hidden="true">
            {chosen.has(option.id) && <Check size={16} />}
          </span>
          <span className={styles.pickName}>{option.name || option.id}</span>
        </button>
      ))}
      <div role="presentation" style={{ height: Math.max(0, options.length - last) * rowHeight }} />
    </div>
  )
}
