import { useEffect } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Router } from 'wouter'
import { titles } from '../../i18n/titles.ts'
import { type PageState, selectHasShell, selectPageState, selectRoute } from '../../machines/app/app.selectors.ts'
import { routeOf } from '../../machines/app/routes.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { useApp, useConsole } from './console.ts'
import { Broken, Outlet } from './Outlet.tsx'
import { LoadedShell } from './shell.tsx'
import { Starting } from './Starting.tsx'
import { Toasts } from './Toasts.tsx'

export function AppView() {
  const { app, consolePath } = useConsole()
  const navigate = (_navigate: unknown, href: string) =>
    app.send({ type: 'navigation.requested', href: href.slice(consolePath.length) })
  const showBroken = () => (
    <main>
      <Broken onRetry={() => app.send({ type: 'reload.requested' })} />
    </main>
  )
  const hasShell = useApp(selectHasShell)
  const state = useApp(selectPageState)
  useDocumentTitle(state)
  if (state === 'booting') return <Starting />
  return (
    <Router base={consolePath} aroundNav={navigate}>
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

/** The document title is the page's name; on stream pages it carries the uid too (docs/behaviour.md §3). */
function useDocumentTitle(state: PageState): void {
  const { t } = useLingui()
  const { name, params } = useApp(selectRoute)
  const isBooting = state === 'booting'
  const isMissing = state === 'missing'
  const title = t(titles[isMissing ? 'notFound' : routeOf(name).title])
  const full = params.uid === undefined || isMissing ? title : `${title} ${params.uid}`
  useEffect(() => {
    if (!isBooting) document.title = full
  }, [full, isBooting])
}
