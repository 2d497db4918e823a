import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { Search, X } from 'lucide-react'
import { maxValueLength, maxValues } from '../../machines/streams/preferences.ts'
import { type StreamsRef, selectView } from '../../machines/streams/streams.selectors.ts'
import { removeRow } from '../ui/remove-row.ts'
import styles from './SearchBar.module.css'

/** Search values, all of which a stream must match. Enter adds one, Backspace in the empty box removes the last. */
export function SearchBar({ actor }: { actor: StreamsRef }) {
  const { t } = useLingui()
  const { searchingValues } = useSelector(actor, selectView)
  const [typed, setTyped] = useState('')
  const add = (event: FormEvent) => {
    event.preventDefault()
    actor.send({ type: 'search.added', value: typed })
    setTyped('')
  }
  /** Not by a key that is held: it was to delete what was typed. */
  const removeLastOnBackspace = ({ key, repeat }: KeyboardEvent) => {
    const last = searchingValues.at(-1)
    if (key === 'Backspace' && !repeat && typed === '' && last !== undefined)
      actor.send({ type: 'search.removed', value: last })
  }
  return (
    <form role="search" className={styles.search} onSubmit={add}>
      <Search size={16} aria-hidden="true" className={styles.icon} />
      {searchingValues.map((value) => (
        <button
          key={value}
          type="button"
          className={styles.value}
          aria-label={t`Remove ${value}`}
          title={t`Remove ${value}`}
          onClick={() => removeRow('button', 'input', () => actor.send({ type: 'search.removed', value }))}
        >
          <span>{value}</span>
          <X size={12} aria-hidden="true" />
        </button>
      ))}
      <input
        type="search"
        className={styles.input}
        aria-label={t`Search streams`}
        placeholder={searchingValues.length === 0 ? t`Search streams` : t`And…`}
        enterKeyHint="search"
        spellCheck={false}
        maxLength={maxValueLength}
        readOnly={searchingValues.length >= maxValues}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={removeLastOnBackspace}
      />
    </form>
  )
}
