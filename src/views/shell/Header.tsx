import { useLingui } from '@lingui/react/macro'
import { Info, Plus, Settings } from 'lucide-react'
import { Link } from 'wouter'
import { titles } from '../../i18n/titles.ts'
import {
  selectAppLogo,
  selectAppTitle,
  selectCanAddStream,
  selectRoute,
  selectSubject,
} from '../../machines/app/app.selectors.ts'
import { type RouteName, pathTo, routeOf } from '../../machines/app/routes.ts'
import { useApp } from '../app/console.ts'
import { PaletteButton } from '../palette/PaletteButton.tsx'
import { MainMenu } from './MainMenu.tsx'
import { Logo } from './Logo.tsx'
import styles from './Header.module.css'

export function Header({ slotRef }: { slotRef: (slot: HTMLElement | null) => void }) {
  const { t } = useLingui()
  const appTitle = useApp(selectAppTitle)
  const appLogo = useApp(selectAppLogo)
  const canAddStream = useApp(selectCanAddStream)
  return (
    <header className={styles.header}>
      <Link href="/streams" className={styles.logo} aria-label={appTitle}>
        {appLogo === '' ? <Logo /> : <img src={appLogo} alt="" />}
        <span className={styles.name}>{appTitle}</span>
      </Link>
      <div className={styles.context}>
        <Context />
      </div>
      <div className={styles.slot} ref={slotRef} />
      <PaletteButton />
      {canAddStream && (
        <Link href="/add-stream" className={styles.add} aria-label={t`Add stream`}>
          <Plus size={16} aria-hidden="true" />
          <span>{t`Add stream`}</span>
        </Link>
      )}
      <MainMenu />
    </header>
  )
}

/** The header's content by page (docs/behaviour.md §4.1). */
function Context() {
  const { t } = useLingui()
  const route = useApp(selectRoute)
  const subject = useApp(selectSubject)
  const { header, title } = routeOf(route.name)
  switch (header) {
    case 'stream':
      return <StreamContext uid={route.params.uid ?? ''} name={subject?.name ?? ''} route={route.name} />
    case 'mosaic':
      return (
        <>
          <Subject
            href={pathTo('mosaic', route.params)}
            name={subject?.name || t(titles.mosaic)}
            isHeading={route.name === 'mosaic'}
          />
          {subject?.canAdmin === true && (
            <Link
              href={pathTo('mosaicEdit', route.params)}
              className={styles.icon}
              aria-label={t`Mosaic settings`}
              aria-current={route.name === 'mosaicEdit' ? 'page' : undefined}
            >
              <Settings size={16} aria-hidden="true" />
            </Link>
          )}
        </>
      )
    case 'title':
    case 'streams':
      return <h1 className={styles.title}>{t(titles[title])}</h1>
    default:
      return null
  }
}

function Subject({ href, name, isHeading }: { href: string; name: string; isHeading: boolean }) {
  const link = (
    <Link href={href} className={styles.title} title={name}>
      {name}
    </Link>
  )
  return isHeading ? <h1 className={styles.heading}>{link}</h1> : link
}

const infoPages: readonly RouteName[] = [
  'streamInfo',
  'streamSettings',
  'streamMasks',
  'streamDebug',
  'streamPermissions',
]

function StreamContext({ uid, name, route }: { uid: string; name: string; route: RouteName }) {
  const { t } = useLingui()
  return (
    <>
      <Subject href={pathTo('streamView', { uid })} name={name || uid} isHeading={route === 'streamView'} />
      <Link
        href={pathTo('streamInfo', { uid })}
        className={styles.icon}
        aria-label={t`Stream info`}
        aria-current={infoPages.includes(route) ? 'page' : undefined}
      >
        <Info size={16} aria-hidden="true" />
      </Link>
    </>
  )
}
