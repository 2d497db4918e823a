import type { ReactNode } from 'react'
import { selectRoute } from '../../machines/app/app.selectors.ts'
import { routeOf } from '../../machines/app/routes.ts'
import { useApp } from '../app/console.ts'
import styles from './Page.module.css'

interface PageProps {
  title: string
  /** The page shows its title even if the header has one. */
  isOwnTitle?: boolean
  /** A count or another short note beside the title. */
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** `narrow` for forms and reading, `middle` for lists, `wide` for tables and pictures. */
  width?: 'narrow' | 'middle' | 'wide'
}

/** A page that scrolls: its title, unless the header shows it, its actions and its content. */
export function Page({ title, isOwnTitle = false, note, actions, children, width = 'wide' }: PageProps) {
  const isTitleInHeader = routeOf(useApp(selectRoute).name).header === 'title'
  const Heading = isTitleInHeader ? 'h2' : 'h1'
  const hasTitle = !isTitleInHeader || isOwnTitle
  const hasHead = hasTitle || note !== undefined || actions !== undefined
  return (
    <div className={`${styles.page} ${styles[width]}`}>
      {hasHead && (
        <div className={styles.head}>
          {hasTitle && <Heading className={styles.title}>{title}</Heading>}
          {note !== undefined && (
            <span className={styles.note} role="status">
              {note}
            </span>
          )}
          <div className={styles.actions}>{actions}</div>
        </div>
      )}
      {children}
    </div>
  )
}

interface PanelProps {
  title?: string
  actions?: ReactNode
  /** Whether the panel is a region named by its title. False if the name resembles that of a field inside. */
  isRegion?: boolean
  children: ReactNode
}

export function Panel({ title, actions, isRegion = true, children }: PanelProps) {
  return (
    <section className={styles.panel} aria-label={isRegion ? title : undefined}>
      {(title !== undefined || actions !== undefined) && (
        <div className={styles.panelHead}>
          {title !== undefined && <h2>{title}</h2>}
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}

export function Facts({ facts }: { facts: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
