import { useEffect } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Router } from 'wouter'
import { titles } from '../../i18n/titles.ts'
import { selectHasShell, selectPageState, selectRoute } from '../../machines/app/app.selectors.ts'
import { routeOf } from '../../machines/app/routes.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { useApp, useConsole } from './console.ts'
import { Broken, Outlet } from './Outlet.tsx'
import { LoadedShell } from './shell.tsx'
import { Starting } from './Starting.tsx'
import { Toasts } from './Toasts.tsx'

const base = '/ui'

export function AppView() {
  const { app } = useConsole()
  const navigate = (_navigate: unknown, href: string) =>
    app.send({ type: 'navigation.requested', href: href.slice(base.length) })
  const hasShell = useApp(selectHasShell)
  const isBooting = useApp(selectPageState) === 'booting'
  useDocumentTitle(isBooting)
  if (isBooting) return <Starting />
  return (
    <Router base={base} aroundNav={navigate}>
      {hasShell ? (
        <ErrorBoundary fallback={showBroken}>
          <LoadedShell>
            <Outlet hasShell />
          </LoadedShell>
        </ErrorBoundary>
      ) : (
        <Outlet hasShell={false} />
      )}
      <Toasts />
    </Router>
  )
}

const showBroken = () => (
  <main>
    <Broken onRetry={() => globalThis.location.reload()} />
  </main>
)

/** The document title is the page's name; on stream pages it carries the uid too (docs/behaviour.md §3). */
function useDocumentTitle(isBooting: boolean): void {
  const { t } = useLingui()
  const route = useApp(selectRoute)
  const title = t(titles[routeOf(route.name).title])
  const { uid } = route.params
  const full = uid === undefined ? title : `${title} ${uid}`
  useEffect(() => {
    if (!isBooting) document.title = full
  }, [full, isBooting])
}
