import { useLingui } from '@lingui/react/macro'
import { Lock, PlugZap } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Refusal } from '../../api/reply.ts'
import { refusalText } from '../../i18n/errors.ts'
import { Button } from '../ui/Button.tsx'
import { Skeleton, StatePanel } from '../ui/State.tsx'
import styles from './people.module.css'

interface PageProps {
  title: string
  /** How many there are. */
  count?: ReactNode
  actions?: ReactNode
  children: ReactNode
  isNarrow?: boolean
  /** The header says nothing of this page, so that its own heading is the first. */
  isFirstHeading?: boolean
}

/** A page of the people screens: its heading with the count, its actions, its content. */
export function Page({ title, count, actions, children, isNarrow = false, isFirstHeading = false }: PageProps) {
  const Heading = isFirstHeading ? 'h1' : 'h2'
  return (
    <div className={`${styles.page} ${isNarrow ? styles.narrow : ''}`}>
      <header className={styles.head}>
        <div className={styles.heading}>
          <Heading>{title}</Heading>
          {count !== undefined && (
            <p className={styles.count} role="status">
              {count}
            </p>
          )}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** Why there is nothing to see, and what to press; a refusal for want of rights has its own look. */
export function Refused({ refusal, onRetry }: { refusal: Refusal; onRetry: () => void }) {
  const { t, i18n } = useLingui()
  if (refusal.status === 403) {
    return (
      <StatePanel icon={<Lock size={20} />} title={t`You don't have access`} announce>
        {t`Ask an administrator if you need it.`}
      </StatePanel>
    )
  }
  const { message, code } = refusalText(refusal.code)
  return (
    <StatePanel
      icon={<PlugZap size={20} />}
      title={i18n._(message)}
      announce
      actions={<Button variant="primary" onClick={onRetry}>{t`Try again`}</Button>}
    >
      {t`This could not be read from the server. Nothing is lost.`} {code}
    </StatePanel>
  )
}

/** A part of a form under a heading of its own. */
export function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <div className={styles.group} role="group" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </div>
  )
}

/** Rows in the shape of what comes. */
export function ListSkeleton({ rows = 4 }: { rows?: number }) {
  return (
    <ul className={styles.list} aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        <li key={row}>
          <Skeleton width="36px" height="36px" />
          <span className={styles.item}>
            <Skeleton width={`${45 - (row % 3) * 8}%`} height="14px" />
            <Skeleton width={`${30 + (row % 2) * 10}%`} height="12px" />
          </span>
        </li>
      ))}
    </ul>
  )
}
