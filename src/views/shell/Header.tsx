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
import { pathTo, routeOf } from '../../machines/app/routes.ts'
import { useApp } from '../app/console.ts'
import { PaletteButton } from '../palette/PaletteButton.tsx'
import { MainMenu } from './MainMenu.tsx'
import { Logo } from './Logo.tsx'
import styles from './Header.module.css'

/** `slotRef` gets the element that a page fills with controls of its own (`HeaderContent`). */
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
      <div className={styles.page}>
        <PageTitle />
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

/** What the header shows of the page (docs/behaviour.md §4.1). */
function PageTitle() {
  const { t } = useLingui()
  const route = useApp(selectRoute)
  const subject = useApp(selectSubject)
  const { header, title } = routeOf(route.name)
  switch (header) {
    case 'stream':
      return (
        <StreamTitle uid={route.params.uid ?? ''} name={subject?.name ?? ''} isPlayer={route.name === 'streamView'} />
      )
    case 'mosaic':
      return (
        <>
          <SubjectLink
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

function SubjectLink({ href, name, isHeading }: { href: string; name: string; isHeading: boolean }) {
  const link = (
    <Link href={href} className={styles.title} title={name}>
      {name}
    </Link>
  )
  return isHeading ? <h1 className={styles.heading}>{link}</h1> : link
}

function StreamTitle({ uid, name, isPlayer }: { uid: string; name: string; isPlayer: boolean }) {
  const { t } = useLingui()
  return (
    <>
      <SubjectLink href={pathTo('streamView', { uid })} name={name || uid} isHeading={isPlayer} />
      <Link
        href={pathTo('streamInfo', { uid })}
        className={styles.icon}
        aria-label={t`Stream info`}
        aria-current={isPlayer ? undefined : 'page'}
      >
        <Info size={16} aria-hidden="true" />
      </Link>
    </>
  )
}
