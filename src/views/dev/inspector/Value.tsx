import { memo, useState } from 'react'
import { plain } from '../record/plain.ts'
import styles from './Value.module.css'

const maxShown = 200

function entriesOf(value: unknown): [string, unknown][] | null {
  if (typeof value !== 'object' || value === null) return null
  if (value instanceof Map) return [...value].map(([key, item]) => [String(key), item])
  if (Array.isArray(value) || value instanceof Set) return [...value].map((item, index) => [String(index), item])
  return [Object.prototype, null].includes(Object.getPrototypeOf(value)) ? Object.entries(value) : null
}

/** A value in one short line, without secrets. */
export function brief(key: string, value: unknown): string {
  const entries = entriesOf(value)
  // Without the braces and the key around the value.
  if (entries === null) return JSON.stringify(plain({ [key]: value }))?.slice(key.length + 4, -1) ?? ''
  if (!(Symbol.iterator in Object(value)))
    return `{${entries
      .slice(0, 6)
      .map(([name]) => name)
      .join(', ')}${entries.length > 6 ? ', …' : ''}}`
  return `[${entries.length}]`
}

/** A value as a tree; renders only the levels that are open. */
export const Value = memo(function Value({
  name,
  value,
  secretKey = name,
}: {
  name: string
  value: unknown
  secretKey?: string
}) {
  const [isOpen, setOpen] = useState(false)
  const entries = entriesOf(value)
  const line = (
    <>
      <span className={styles.key}>{name}</span> <span>{brief(secretKey, value)}</span>
    </>
  )
  if (entries === null || entries.length === 0) return <div className={styles.leaf}>{line}</div>
  const isList = Array.isArray(value) || value instanceof Set
  return (
    <details className={styles.branch} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{line}</summary>
      {isOpen &&
        entries
          .slice(0, maxShown)
          .map(([key, item]) => <Value key={key} name={key} value={item} secretKey={isList ? secretKey : key} />)}
      {isOpen && entries.length > maxShown && <div className={styles.leaf}>… {entries.length - maxShown} more</div>}
    </details>
  )
})
