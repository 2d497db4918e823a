import { useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { localText, momentOfLocal } from '../../machines/player/local-text.ts'
import { Button } from '../ui/Button.tsx'
import styles from './Calendar.module.css'

interface GoToProps {
  /** The moment in the field when it appears. */
  at: number
  zone: string
  readNow: () => number
  onGo: (at: number) => void
}

/** Goes to a typed moment of the past, such as `2026-11-21 14:05:03`. */
export function GoTo({ at, zone, readNow, onGo }: GoToProps) {
  const { t } = useLingui()
  const id = useId()
  const [text, setText] = useState(() => localText(at, zone))
  const [error, setError] = useState<'unreadable' | 'future' | null>(null)
  const submit = () => {
    const moment = momentOfLocal(text, zone)
    if (moment === null) setError('unreadable')
    else if (moment > readNow()) setError('future')
    else onGo(moment)
  }
  return (
    <form
      className={styles.goTo}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <label htmlFor={id}>{t`Go to`}</label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        spellCheck={false}
        className={styles.moment}
        aria-invalid={error !== null || undefined}
        aria-describedby={`${id}-error`}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setError(null)
        }}
      />
      <Button type="submit">{t`Go`}</Button>
      <p id={`${id}-error`} role="status" className={styles.wrong} hidden={error === null}>
        {error === 'unreadable' && t`Enter the time like 2026-11-21 14:05:03`}
        {error === 'future' && t`This time hasn't come yet`}
      </p>
    </form>
  )
}
