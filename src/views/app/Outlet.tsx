import { type ReactNode, createElement } from 'react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Compass, Lock, PlugZap } from 'lucide-react'
import { selectPage, selectPageState, selectRoute } from '../../machines/app/app.selectors.ts'
import { routeOf } from '../../machines/app/routes.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { StatePanel } from '../ui/State.tsx'
import { Boundary } from './Boundary.tsx'
import { useApp, useConsole } from './console.ts'
import styles from './Outlet.module.css'

export function Outlet({ hasShell }: { hasShell: boolean }) {
  const { app, viewOf } = useConsole()
  const state = useApp(selectPageState)
  const route = useApp(selectRoute)
  const page = useApp(selectPage)
  const { t } = useLingui()
  const alone = (children?: ReactNode) =>
    hasShell ? (
      <div className={styles.alone} aria-busy={children === undefined}>
        {children}
      </div>
    ) : (
      <main className={styles.alone} aria-busy={children === undefined}>
        {children}
      </main>
    )
  switch (state) {
    case 'active': {
      const view = viewOf(route.name)
      if (view === undefined || page === null) return null
      return (
        <Boundary key={page.sessionId} fallback={(retry) => alone(<Broken onRetry={retry} />)}>
          {createElement(view, { actor: page })}
        </Boundary>
      )
    }
    case 'forbidden':
      return alone(
        <StatePanel
          isWholePage={routeOf(route.name).header !== 'title'}
          icon={<Lock size={20} />}
          title={t`You don't have access`}
          actions={<ButtonLink href="/streams">{t`All streams`}</ButtonLink>}
        >
          <Trans>This page is for administrators. Ask one of them if you need access.</Trans>
        </StatePanel>,
      )
    case 'missing':
      return alone(
        <StatePanel
          isWholePage
          icon={<Compass size={20} />}
          title={t`Page not found`}
          actions={<ButtonLink href="/" variant="primary">{t`Go to all streams`}</ButtonLink>}
        >
          <Trans>There is no such page, or it was deleted, or you have no access to it.</Trans>
        </StatePanel>,
      )
    case 'broken':
      return alone(<Broken onRetry={() => app.send({ type: 'page.retried' })} />)
    default:
      return alone()
  }
}

export function Broken({ onRetry }: { onRetry: () => void }) {
  const { t } = useLingui()
  return (
    <StatePanel
      icon={<PlugZap size={20} />}
      title={t`This page could not be loaded`}
      announce
      actions={<Button variant="primary" onClick={onRetry}>{t`Try again`}</Button>}
    >
      <Trans>The server may be unavailable or may have been updated. Nothing is lost.</Trans>
    </StatePanel>
  )
}
