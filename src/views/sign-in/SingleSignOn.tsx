import { useLingui } from '@lingui/react/macro'
import { withMessages } from '../../i18n/i18n.ts'
import { selectAddress, selectConfiguration, selectSettings } from '../../machines/app/app.selectors.ts'
import { Boundary } from '../app/Boundary.tsx'
import { useApp } from '../app/console.ts'
import { deferred, useDeferred } from '../ui/deferred.ts'
import button from '../ui/Button.module.css'

/** Says why a sign-in at the provider has failed: only who comes back from there needs the words. */
const failureWords = deferred(() => withMessages(import('./SingleSignOnFailure.tsx')))

/** Leads to the single sign-on provider, and says why a sign-in there has failed (docs/behaviour.md §11). */
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
      {failure !== null && (
        <Boundary fallback={() => null}>
          <Failure code={failure} />
        </Boundary>
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

function Failure({ code }: { code: string }) {
  const parts = useDeferred(failureWords)
  return parts !== null && <parts.SingleSignOnFailure code={code} />
}
