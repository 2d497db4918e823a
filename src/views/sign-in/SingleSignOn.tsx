import { useLingui } from '@lingui/react/macro'
import { selectAddress, selectConfiguration, selectSettings } from '../../machines/app/app.selectors.ts'
import { useApp } from '../app/console.ts'
import button from '../ui/Button.module.css'
import styles from './Entrance.module.css'

/** Leads to the single sign-on provider, and says why a sign-in there has failed (docs/behaviour.md §11). */
export function SingleSignOn() {
  const { t } = useLingui()
  const { features, oidcName } = useApp(selectSettings)
  const { apiBaseUrl } = useApp(selectConfiguration)
  const { search } = useApp(selectAddress)
  if (!features.includes('oidc')) return null
  const failure = new URLSearchParams(search).get('failure')
  const name = oidcName || t`single sign-on`
  const wordsOf = (code: string): string => {
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
    <>
      {failure !== null && (
        <p className={styles.bad} role="alert">
          {wordsOf(failure)}
        </p>
      )}
      <a
        className={`${button.button} ${button.secondary}`}
        href={`${apiBaseUrl.replace(/\/+$/, '')}/v1/user/oidc/start`}
      >
        {t`Sign in with ${name}`}
      </a>
    </>
  )
}
