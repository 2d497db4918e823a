import { useLingui } from '@lingui/react/macro'
import styles from './Entrance.module.css'

export function SingleSignOnFailure({ code }: { code: string }) {
  const { t } = useLingui()
  const words = (): string => {
    switch (code) {
      case 'away':
        return t`The single sign-on service is not responding. Try again later.`
      case 'denied':
        return t`The single sign-on service has refused the sign-in.`
      case 'expired':
        return t`The sign-in has expired, or was started in another window. Try again.`
      case 'forbidden':
        return t`You have no access to this server. Ask your administrator.`
      case 'blocked':
        return t`Your account is blocked. Ask your administrator.`
      case 'throttled':
        return t`Too many attempts. Wait a little and try again.`
      default:
        return t`The sign-in has failed. Try again.`
    }
  }
  return (
    <p className={styles.bad} role="alert">
      {words()}
    </p>
  )
}
