import { Trans, useLingui } from '@lingui/react/macro'
import { Compass, Lock, PlugZap } from 'lucide-react'
import { selectPage, selectPageState, selectRoute } from '../../machines/app/app.selectors.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { StatePanel } from '../ui/State.tsx'
import { useApp, useConsole } from './console.ts'
import styles from './Outlet.module.css'

/** The place of the page: its view while it is active, else what keeps one from it. */
export function Outlet() {
  const { app, viewOf } = useConsole()
  const state = useApp(selectPageState)
  const route = useApp(selectRoute)
  const page = useApp(selectPage)
  const { t } = useLingui()
  switch (state) {
    case 'active': {
      const View = viewOf(route.name)
      return View !== undefined && page !== null ? <View key={page.sessionId} actor={page} /> : null
    }
    case 'forbidden':
      return (
        <main className={styles.alone}>
          <StatePanel icon={<Lock size={20} />} title={t`You don't have access`} actions={<ButtonLink href="/streams">{t`All streams`}</ButtonLink>}>
            <Trans>This page is for administrators. Ask one of them if you need it.</Trans>
          </StatePanel>
        </main>
      )
    case 'missing':
      return (
        <main className={styles.alone}>
          <StatePanel icon={<Compass size={20} />} title={t`Page not found`} actions={<ButtonLink href="/" variant="primary">{t`Go to all streams`}</ButtonLink>}>
            <Trans>The address leads nowhere, or what was here is gone or isn't yours to see.</Trans>
          </StatePanel>
        </main>
      )
    case 'broken':
      return (
        <main className={styles.alone}>
          <StatePanel
            icon={<PlugZap size={20} />}
            title={t`This page could not be loaded`}
            announce
            actions={<Button variant="primary" onClick={() => app.send({ type: 'page.retried' })}>{t`Try again`}</Button>}
          >
            <Trans>The server may be away or may have been updated. Nothing is lost.</Trans>
          </StatePanel>
        </main>
      )
    default:
      return <main className={styles.alone} aria-busy="true" />
  }
}
