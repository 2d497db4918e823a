import { useLingui } from '@lingui/react/macro'
import { withMessages } from '../../i18n/i18n.ts'
import { selectAddress, selectConfiguration, selectSettings } from '../../machines/app/app.selectors.ts'
import { useApp } from '../app/console.ts'
import { DeferredPart } from '../app/DeferredPart.tsx'
import { deferred } from '../ui/deferred.ts'
import button from '../ui/Button.module.css'

/** Shows why signing in at the provider failed; loaded when a failed sign-in returns from there. */
const failureWords = deferred(() => withMessages(import('./SingleSignOnFailure.tsx')))

/** A link to the single sign-on provider, and why signing in there failed (docs/behaviour.md §11). */
export function SingleSignOn() {
  const { t } = useLingui()
  const { features, oidcName } = useApp(selectSettings)
  const { apiBaseUrl } = useApp(selectConfiguration)
  const { search } = useApp(selectAddress)
  if (!features.includes('oidc')) return null
  const failure = new URLSearchParams(search).get('failure')
  const name = oidcName || t`single sign-on`
  return (
    <>
      <DeferredPart module={failureWords} isNeeded={failure !== null}>
        {({ SingleSignOnFailure }) => failure !== null && <SingleSignOnFailure code={failure} />}
      </DeferredPart>
      <a
        className={`${button.button} ${button.secondary}`}
        href={`${apiBaseUrl.replace(/\/+$/, '')}/v1/user/oidc/start`}
      >
        {t`Sign in with ${name}`}
      </a>
    </>
  )
}
