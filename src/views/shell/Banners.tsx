import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { RefreshCw } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import type { HealthWarning } from '../../api/contract/health.ts'
import { withMessages } from '../../i18n/i18n.ts'
import { selectHealth, selectIsServerUpdated, selectSettings } from '../../machines/app/app.selectors.ts'
import { type healthMachine, shownWarnings } from '../../machines/health/health.machine.ts'
import { useApp, useConsole } from '../app/console.ts'
import { DeferredPart } from '../app/DeferredPart.tsx'
import { Button } from '../ui/Button.tsx'
import { deferred } from '../ui/deferred.ts'
import styles from './Banners.module.css'

type HealthRef = ActorRefFrom<typeof healthMachine>

/** Loaded with the first warning, as most users have none. */
export const banners = deferred(() => withMessages(import('./Banner.tsx')))

/** Health and licence warnings (docs/behaviour.md §4.4). */
export function Banners() {
  const { t } = useLingui()
  const health = useApp(selectHealth)
  return (
    <section className={styles.region} aria-label={t`Warnings`}>
      <UpdateBanner />
      <LicenseBanners />
      {health !== undefined && <HealthBanners health={health} />}
    </section>
  )
}

/** Its code is here and not in the deferred part, which the update may have removed from the server. */
function UpdateBanner() {
  const { t } = useLingui()
  const { app } = useConsole()
  const isServerUpdated = useApp(selectIsServerUpdated)
  return (
    <div aria-live="polite">
      {isServerUpdated && (
        <div className={styles.banner}>
          <RefreshCw size={16} aria-hidden="true" />
          <p className={styles.text}>
            <Trans>The server has been updated. Reload the page to use the new version.</Trans>
          </p>
          <Button onClick={() => app.send({ type: 'reload.requested' })}>{t`Reload`}</Button>
        </div>
      )}
    </div>
  )
}

function LicenseBanners() {
  const { isLicenseExpired } = useApp(selectSettings)
  return (
    <DeferredPart module={banners} isNeeded={isLicenseExpired}>
      {({ LicenseBanner }) => <LicenseBanner />}
    </DeferredPart>
  )
}

function HealthBanners({ health }: { health: HealthRef }) {
  const warnings = useSelector(health, ({ context }) => shownWarnings(context), hasSameWarnings)
  return (
    <DeferredPart module={banners} isNeeded={warnings.length > 0} retryKey={warnings.length}>
      {({ HealthBanner }) =>
        warnings.map((warning) => (
          <HealthBanner key={warning.code} warning={warning} onDismiss={dismissOf(health, warning)} />
        ))
      }
    </DeferredPart>
  )
}

const dismissOf =
  (health: HealthRef, { code, nodes }: HealthWarning) =>
  () =>
    health.send({ type: 'warning.dismissed', code, nodes, at: Date.now() })

const hasSameWarnings = (one: readonly HealthWarning[], other: readonly HealthWarning[]) =>
  one.length === other.length && one.every((warning, index) => warning === other[index])
