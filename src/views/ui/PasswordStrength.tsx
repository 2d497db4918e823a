import { useLingui } from '@lingui/react/macro'
import { passwordVerdict } from '../../machines/session/password-strength.ts'
import styles from './PasswordStrength.module.css'

/** What is wrong with a new password, or how strong it is; nothing before anything is typed. */
export function PasswordStrength({ password, login = '' }: { password: string; login?: string }) {
  const { t } = useLingui()
  if (password === '') return null
  const verdict = passwordVerdict(password, login)
  const words = {
    tooShort: t`Too short: use 8 characters or more`,
    tooLong: t`Too long: use 256 characters or fewer`,
    tooUniform: t`Too simple: use 4 different characters or more`,
    sameAsLogin: t`The same as the login: choose another`,
    guessable: t`Easy to guess: add words that nobody would think of`,
    weak: t`Weak: make it longer`,
    good: t`Good`,
    strong: t`Strong`,
  }
  return (
    <p className={styles.strength} data-verdict={verdict} role="status">
      <span className={styles.bars} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {words[verdict]}
    </p>
  )
}
