import type { ReactNode } from 'react'
import styles from './State.module.css'

interface StatePanelProps {
  icon: ReactNode
  title: string
  children?: ReactNode
  actions?: ReactNode
  /** Announces the state when it appears. */
  announce?: boolean
  /** The page has nothing else, so the title is the page's heading. */
  isWholePage?: boolean
}

/** An empty, failed or forbidden view: what happened, what is kept and what to press. */
export function StatePanel({ icon, title, children, actions, announce = false, isWholePage = false }: StatePanelProps) {
  const Heading = isWholePage ? 'h1' : 'h2'
  return (
    <section className={styles.panel} role={announce ? 'status' : undefined}>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      <Heading className={styles.title}>{title}</Heading>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </section>
  )
}

interface SkeletonProps {
  width?: string
  height?: string
  className?: string | undefined
}

export function Skeleton({ width = '100%', height = '1em', className }: SkeletonProps) {
  return (
    <span
      className={[styles.skeleton, className].filter(Boolean).join(' ')}
      style={{ width, height }}
      aria-hidden="true"
    />
  )
}
