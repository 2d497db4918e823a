import { useLingui } from '@lingui/react/macro'
import styles from './PasswordStrength.module.css'

type Strength = 0 | 1 | 2 | 3

/** How hard a password is to guess, by its length and the kinds of its characters; the server has the last word. */
function strengthOf(password: string): Strength {
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length
  const distinct = new Set(password).size
  if (password.length < 8 || distinct < 5) return 0
  if (password.length >= 16 || (password.length >= 12 && kinds >= 3)) return 3
  return password.length >= 10 || kinds >= 3 ? 2 : 1
}

export function PasswordStrength({ password }: { password: string }) {
  const { t } = useLingui()
  if (password === '') return null
  const strength = strengthOf(password)
  const words = [t`Too easy: use 8 characters or more`, t`Weak: make it longer`, t`Good`, t`Strong`]
  return (
    <p className={styles.strength} data-strength={strength} role="status">
      <span className={styles.bars} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {words[strength]}
    </p>
  )
}
