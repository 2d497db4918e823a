import { type ReactNode, createElement } from 'react'
import { Trans, useLingui } from '@lingui/react/macro'
import { PlugZap } from 'lucide-react'
import { selectIsServerUpdated, selectPage, selectPageState, selectRoute } from '../../machines/app/app.selectors.ts'
import { Button } from '../ui/Button.tsx'
import { useDeferred } from '../ui/deferred.ts'
import { StatePanel } from '../ui/State.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { useApp, useConsole } from './console.ts'
import { closedPage } from './deferred-modules.ts'
import styles from './Outlet.module.css'

export function Outlet({ hasShell }: { hasShell: boolean }) {
  const { app, viewOf } = useConsole()
  const state = useApp(selectPageState)
  const route = useApp(selectRoute)
  const page = useApp(selectPage)
  /** Frames what is shown instead of a page; without content, an area that is busy. */
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
        <ErrorBoundary key={page.sessionId} fallback={(retry) => alone(<Broken onRetry={retry} />)}>
          {createElement(view, { actor: page })}
        </ErrorBoundary>
      )
    }
    case 'forbidden':
    case 'missing':
      return (
        <ErrorBoundary key={state} fallback={(retry) => alone(<Broken onRetry={retry} />)}>
          <Closed state={state} alone={alone} />
        </ErrorBoundary>
      )
    case 'broken':
      return alone(<Broken onRetry={() => app.send({ type: 'page.retried' })} />)
    default:
      return alone()
  }
}

interface ClosedProps {
  state: 'forbidden' | 'missing'
  alone: (children?: ReactNode) => ReactNode
}

function Closed({ state, alone }: ClosedProps) {
  const parts = useDeferred(closedPage)
  if (parts === null) return alone()
  return alone(state === 'forbidden' ? <parts.Forbidden /> : <parts.Missing />)
}

/** After an update the server may lack the files of this build: Retry loads the whole console again. */
export function Broken({ onRetry }: { onRetry: () => void }) {
  const { t } = useLingui()
  const { app } = useConsole()
  const isServerUpdated = useApp(selectIsServerUpdated)
  const retry = () => (isServerUpdated ? app.send({ type: 'reload.requested' }) : onRetry())
  return (
    <StatePanel
      icon={<PlugZap size={20} />}
      title={t`This page could not be loaded`}
      announce
      actions={<Button variant="primary" onClick={retry}>{t`Retry`}</Button>}
    >
      <Trans>The server may be unavailable or may have been updated. Nothing is lost.</Trans>
    </StatePanel>
  )
}
