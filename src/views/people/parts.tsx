import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import type { User } from '../../api/contract/user.ts'
import { Skeleton } from '../ui/State.tsx'
import { languageName, useRole } from './words.ts'
import styles from './people.module.css'

export function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <div className={styles.group} role="group" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </div>
  )
}

/** The heading of a section with a list. `count`: false while the items are unknown. */
export function CountedHeading({ id, title, count }: { id: string; title: string; count: ReactNode }) {
  return (
    <div className={styles.heading}>
      <h2 id={id}>{title}</h2>
      {count !== false && <span className={styles.count}>{count}</span>}
    </div>
  )
}

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

export function PersonFacts({ user }: { user: User }) {
  const { t } = useLingui()
  const roleOf = useRole()
  const { fullName, email, language } = user
  return (
    <>
      <dt>{t`Full name`}</dt>
      <dd>{fullName || '–'}</dd>
      <dt>{t`Email`}</dt>
      <dd>{email || '–'}</dd>
      <dt>{t`Language`}</dt>
      <dd>{language === '' ? t`Same as the browser` : languageName(language)}</dd>
      <dt>{t`Role`}</dt>
      <dd>{roleOf(user)}</dd>
    </>
  )
}
