import { type ReactNode, useState } from 'react'
import { RouterProvider } from 'react-aria-components'
import { useApp, useConsole } from '../app/console.ts'
import { Downloads } from '../clips/Downloads.tsx'
import { Banners } from './Banners.tsx'
import { Header } from './Header.tsx'
import { HeaderSlotProvider } from './header-slot.ts'
import { selectIsKiosk, selectPathname } from './open-here.ts'
import { ShortcutsDialog } from './ShortcutsDialog.tsx'
import { Toolbar } from './Toolbar.tsx'
import styles from './Shell.module.css'

/** Header, tool bar, banners and the page between them; on a kiosk the page alone. */
export function Shell({ children }: { children: ReactNode }) {
  const { app } = useConsole()
  const pathname = useApp(selectPathname)
  const isAlone = useApp(selectIsKiosk)
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  return (
    <RouterProvider navigate={(href) => app.send({ type: 'navigation.requested', href })} useHref={(href) => (href.startsWith('/') ? `/ui${href}` : href)}>
      <HeaderSlotProvider value={slot}>
        <div className={styles.shell}>
          {!isAlone && <Header slotRef={setSlot} />}
          {!isAlone && <Toolbar />}
          <div className={styles.page}>
            {!isAlone && <Banners />}
            {/* A new path is a new place that starts at its top (spec.md §2). */}
            <main key={pathname} className={styles.main}>{children}</main>
          </div>
        </div>
        <Downloads />
        <ShortcutsDialog />
      </HeaderSlotProvider>
    </RouterProvider>
  )
}
