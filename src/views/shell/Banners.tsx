import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import type { HealthWarning } from '../../api/contract/health.ts'
import { withMessages } from '../../i18n/i18n.ts'
import { selectHealth, selectSettings } from '../../machines/app/app.selectors.ts'
import { type healthMachine, shownWarnings } from '../../machines/health/health.machine.ts'
import { Boundary } from '../app/Boundary.tsx'
import { useApp } from '../app/console.ts'
import { deferred, useDeferred } from '../ui/deferred.ts'
import styles from './Banners.module.css'

/** The words of the warnings: most visitors have none. */
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
    <Boundary key={String(isLicenseExpired)} fallback={() => null}>
      <LicenseBanner isShown={isLicenseExpired} />
    </Boundary>
  )
}

function LicenseBanner({ isShown }: { isShown: boolean }) {
  const parts = useDeferred(banners, isShown)
  return parts !== null && <parts.LicenseBanner />
}

function HealthBanners({ health }: { health: ActorRefFrom<typeof healthMachine> }) {
  const warnings = useSelector(health, ({ context }) => shownWarnings(context), sameWarnings)
  const dismiss = (code: string) => health.send({ type: 'warning.dismissed', code, at: Date.now() })
  return (
    <Boundary key={String(warnings.length)} fallback={() => null}>
      <WarningBanners warnings={warnings} dismiss={dismiss} />
    </Boundary>
  )
}

interface WarningBannersProps {
  warnings: readonly HealthWarning[]
  dismiss: (code: string) => void
}

function WarningBanners({ warnings, dismiss }: WarningBannersProps) {
  const parts = useDeferred(banners, warnings.length > 0)
  if (parts === null) return null
  return warnings.map((warning) => (
    <parts.HealthBanner key={warning.code} warning={warning} onDismiss={() => dismiss(warning.code)} />
  ))
}

const sameWarnings = (one: readonly HealthWarning[], other: readonly HealthWarning[]) =>
  one.length === other.length && one.every((warning, index) => warning === other[index])
