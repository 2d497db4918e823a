import { memo, useState } from 'react'
import { isAboutSecret, plain } from '../record/plain.ts'
import styles from './Value.module.css'

const maxShownEntries = 200
const maxShownKeys = 6

function entriesOf(value: unknown): [string, unknown][] | null {
  if (typeof value !== 'object' || value === null) return null
  if (value instanceof Map) return [...value].map(([key, item]) => [String(key), item])
  if (Array.isArray(value) || value instanceof Set) return [...value].map((item, index) => [String(index), item])
  return [Object.prototype, null].includes(Object.getPrototypeOf(value)) ? Object.entries(value) : null
}

/** A value in one short line, without secrets. */
export function brief(key: string, value: unknown): string {
  const entries = entriesOf(value)
  if (entries === null) return value === undefined ? '' : JSON.stringify(plain(value, key))
  if (Symbol.iterator in Object(value)) return `[${entries.length}]`
  const keys = entries.slice(0, maxShownKeys).map(([name]) => name)
  return `{${[...keys, ...(entries.length > maxShownKeys ? ['…'] : [])].join(', ')}}`
}

/** A value as a tree; renders only the levels that are open. */
export const Value = memo(function Value({
  name,
  value,
  secretKey = name,
}: {
  name: string
  value: unknown
  /** The key that says whether the value is a secret: in a list, that of the list. */
  secretKey?: string
}) {
  const [isOpen, setIsOpen] = useState(false)
  const entries = entriesOf(value)
  const line = (
    <>
      <span className={styles.key}>{name}</span> <span>{brief(secretKey, value)}</span>
    </>
  )
  if (entries === null || entries.length === 0) return <div className={styles.leaf}>{line}</div>
  const isList = Array.isArray(value) || value instanceof Set
  return (
    <details className={styles.branch} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{line}</summary>
      {isOpen &&
        entries
          .slice(0, maxShownEntries)
          .map(([key, item]) => <Value key={key} name={key} value={item} secretKey={isList ? secretKey : key} />)}
      {isOpen && entries.length > maxShownEntries && (
        <div className={styles.leaf}>… {entries.length - maxShownEntries} more</div>
      )}
    </details>
  )
})

/** The fields of an event, without secrets. */
export function EventFields({ event }: { event: { readonly type: string } }) {
  const isSecret = isAboutSecret(event)
  return Object.entries(event).map(([key, value]) => (
    <Value key={key} name={key} value={value} secretKey={isSecret && key !== 'type' ? 'secret' : key} />
  ))
}
