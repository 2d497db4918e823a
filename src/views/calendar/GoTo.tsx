import { useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { localText, momentOfLocal } from '../../machines/player/local-text.ts'
import { Button } from '../ui/Button.tsx'
import styles from './Calendar.module.css'

interface GoToProps {
  at: number
  zone: string
  onGo: (at: number) => void
}

/** Goes to a typed moment, such as `2026-11-21 14:05:03`. */
export function GoTo({ at, zone, onGo }: GoToProps) {
  const { t } = useLingui()
  const id = useId()
  const [text, setText] = useState(() => localText(at, zone))
  const [isWrong, setWrong] = useState(false)
  return (
    <form
      className={styles.goTo}
      onSubmit={(event) => {
        event.preventDefault()
        const moment = momentOfLocal(text, zone)
        setWrong(moment === null)
        if (moment !== null) onGo(moment)
      }}
    >
      <label htmlFor={id}>{t`Go to`}</label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        spellCheck={false}
        className={styles.moment}
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}-wrong`}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setWrong(false)
        }}
      />
      <Button type="submit">{t`Go`}</Button>
      <p id={`${id}-wrong`} role="status" className={styles.wrong} hidden={!isWrong}>
        {isWrong && t`Enter the time like 2026-11-21 14:05:03`}
      </p>
    </form>
  )
}
