import { type ReactNode, useCallback, useLayoutEffect, useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Compass } from 'lucide-react'
import { titles } from '../../i18n/titles.ts'
import { selectIsTunnelEnabled, selectNotifications } from '../../machines/app/app.selectors.ts'
import { openPages } from '../../machines/app/open-pages.ts'
import { paletteKey } from '../../machines/keyboard/anywhere.ts'
import { pathTo, routeOf } from '../../machines/app/routes.ts'
import { ErrorBoundary } from '../app/ErrorBoundary.tsx'
import { useConsole } from '../app/console.ts'
import { dialogs } from '../ui/dialogs.ts'
import { IconButton } from '../ui/IconButton.tsx'

const isApple = () => /mac|iphone|ipad/i.test(navigator.userAgent)

/** Whether a dialog or a full-screen picture covers the page. On iPhones `fullscreenElement` is undefined. */
const isCovered = () => document.fullscreenElement instanceof Element || document.querySelector(dialogs) !== null

const nothing = () => null

/** Opens the command palette, as Ctrl K or ⌘K does on every page. Its code is loaded the first time. */
export function PaletteButton() {
  const { t } = useLingui()
  const { app, extras } = useConsole()
  const [View, setView] = useState<(() => ReactNode) | null>(null)
  const toggle = useCallback(() => {
    const open = async () => {
      const palette = await (await extras()).palette()
      setView(() => palette.default)
      const { user, settings, subject, route } = app.getSnapshot().context
      const isTunnelEnabled = selectIsTunnelEnabled(app.getSnapshot())
      const pages = openPages({ user, settings, isTunnelEnabled, subject }, route.params)
      await palette.toggle(
        app,
        pages.map((name) => ({ href: pathTo(name, route.params), label: t(titles[routeOf(name).title]) })),
      )
    }
    open().catch(() =>
      selectNotifications(app.getSnapshot())?.send({ type: 'notification.raised', tone: 'error', code: 'NoResponse' }),
    )
  }, [app, extras, t])
  /** With the first frame that shows the page: an effect after it could miss a key. */
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // By its position only where the layout has other letters, as all shortcuts.
      const isPaletteKey = event.key < '\u0080' ? event.key.toLowerCase() === paletteKey : event.code === 'KeyK'
      if (!isPaletteKey || event.altKey || event.shiftKey || event.ctrlKey === event.metaKey || event.repeat) return
      if (isCovered() && document.querySelector('[data-palette]') === null) return
      event.preventDefault()
      toggle()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [toggle])
  return (
    <>
      <IconButton
        label={t`Go to…`}
        shortcut={isApple() ? '⌘ K' : 'Ctrl K'}
        icon={<Compass size={16} />}
        onPress={toggle}
      />
      {View !== null && (
        <ErrorBoundary fallback={nothing}>
          <View />
        </ErrorBoundary>
      )}
    </>
  )
}
