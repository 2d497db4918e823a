import { type ReactNode, useEffect, useRef, useState } from 'react'
import { selectRoute } from '../../machines/app/app.selectors.ts'
import { useApp } from '../app/console.ts'
import { usePreload } from '../app/use-preload.ts'
import { Downloads } from '../clips/Downloads.tsx'
import { overlays } from '../ui/overlays.ts'
import { Banners } from './Banners.tsx'
import { Header } from './Header.tsx'
import { HeaderSlotProvider } from './header-slot.ts'
import { selectIsKiosk, selectPathname } from './open-here.ts'
import { ShortcutsDialog } from './ShortcutsDialog.tsx'
import { Toolbar } from './Toolbar.tsx'
import styles from './Shell.module.css'

export function Shell({ children }: { children: ReactNode }) {
  const pathname = useApp(selectPathname)
  const isAlone = useApp(selectIsKiosk)
  const isFirst = useIsFirst(pathname)
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  /** The list of streams loads the overlays itself, once it is shown. */
  usePreload(useApp(selectRoute).name === 'streams' ? null : overlays)
  return (
    <HeaderSlotProvider value={slot}>
      <div className={styles.shell}>
        {!isAlone && <Header slotRef={setSlot} />}
        {!isAlone && <Toolbar />}
        <div className={styles.page}>
          {!isAlone && <Banners />}
          {/* A new path is a new page that starts at its top (docs/behaviour.md §3). */}
          <Main key={pathname} isFirst={isFirst}>
            {children}
          </Main>
        </div>
      </div>
      <Downloads />
      <ShortcutsDialog />
    </HeaderSlotProvider>
  )
}

/** Whether this is the page that the console was opened with. */
function useIsFirst(pathname: string): boolean {
  const [first] = useState(pathname)
  const [isFirst, setIsFirst] = useState(true)
  if (isFirst && pathname !== first) setIsFirst(false)
  return isFirst && pathname === first
}

/** Takes the focus when a page opens, unless the page has set it, so that the keyboard starts in the page. */
function Main({ isFirst, children }: { isFirst: boolean; children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isFirst && main.current?.contains(document.activeElement) === false)
      main.current.focus({ preventScroll: true })
  }, [isFirst])
  return (
    <main ref={main} tabIndex={-1} className={styles.main}>
      {children}
    </main>
  )
}
