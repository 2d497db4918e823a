import { type ComponentProps, useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Eye, EyeOff } from 'lucide-react'
import { TextField } from './Field.tsx'
import styles from './PasswordField.module.css'

export function PasswordField(props: ComponentProps<typeof TextField>) {
  const { t } = useLingui()
  const [isShown, setShown] = useState(false)
  return (
    <div className={styles.frame}>
      <TextField {...props} type={isShown ? 'text' : 'password'} />
      <button
        type="button"
        className={styles.eye}
        aria-pressed={isShown}
        aria-label={t`Show characters`}
        title={t`Show characters`}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
      </button>
    </div>
  )
}
