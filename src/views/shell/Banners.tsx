import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import type { HealthWarning } from '../../api/contract/health.ts'
import { withMessages } from '../../i18n/i18n.ts'
import { selectHealth, selectSettings } from '../../machines/app/app.selectors.ts'
import { type healthMachine, shownWarnings } from '../../machines/health/health.machine.ts'
import { useApp } from '../app/console.ts'
import { DeferredPart } from '../app/DeferredPart.tsx'
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
      <LicenseBanners />
      {health !== undefined && <HealthBanners health={health} />}
    </section>
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
  (health: HealthRef, { code }: HealthWarning) =>
  () =>
    health.send({ type: 'warning.dismissed', code, at: Date.now() })

const hasSameWarnings = (one: readonly HealthWarning[], other: readonly HealthWarning[]) =>
  one.length === other.length && one.every((warning, index) => warning === other[index])
