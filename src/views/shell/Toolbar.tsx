import { useLingui } from '@lingui/react/macro'
import { LayoutGrid, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { selectCanAddStream, selectRoute } from '../../machines/app/app.selectors.ts'
import { useApp } from '../app/console.ts'
import { useTabs } from './tabs.tsx'
import styles from './Toolbar.module.css'

/** The side tool bar; a bottom bar on narrow screens. */
export function Toolbar() {
  const { t } = useLingui()
  const canAddStream = useApp(selectCanAddStream)
  const route = useApp(selectRoute)
  const tabs = useTabs()
  return (
    <nav className={styles.toolbar} aria-label={t`Toolbar`}>
      <ul className={styles.list}>
        <Item
          label={t`All streams`}
          icon={<LayoutGrid size={20} />}
          href="/streams"
          isCurrent={route.name === 'streams'}
        />
        {canAddStream && (
          <Item
            label={t`Add stream`}
            icon={<Plus size={20} />}
            href="/add-stream"
            isCurrent={route.name === 'addStream'}
          />
        )}
      </ul>
      {tabs.length > 0 && (
        <ul className={`${styles.list} ${styles.tabs}`}>
          {tabs.map(({ label, icon, href, isDisabled, name }) => (
            <Item
              key={name}
              label={label}
              icon={icon}
              href={href}
              isDisabled={isDisabled}
              isCurrent={route.name === name}
            />
          ))}
        </ul>
      )}
    </nav>
  )
}

interface ItemProps {
  label: string
  icon: ReactNode
  href: string
  isCurrent: boolean
  isDisabled?: boolean
}

function Item({ label, icon, href, isCurrent, isDisabled = false }: ItemProps) {
  return (
    <li>
      {isDisabled ? (
        <span className={styles.item} role="link" aria-disabled="true">
          <span aria-hidden="true">{icon}</span>
          <span className={styles.label}>{label}</span>
        </span>
      ) : (
        <Link href={href} className={styles.item} aria-current={isCurrent ? 'page' : undefined}>
          <span aria-hidden="true">{icon}</span>
          <span className={styles.label}>{label}</span>
        </Link>
      )}
    </li>
  )
}
