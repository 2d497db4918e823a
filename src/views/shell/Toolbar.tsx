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
          current={route.name === 'streams' ? 'page' : undefined}
        />
        {canAddStream && (
          <Item
            label={t`Add stream`}
            icon={<Plus size={20} />}
            href="/add-stream"
            current={route.name === 'addStream' ? 'page' : undefined}
          />
        )}
      </ul>
      {tabs.length > 0 && (
        <ul className={`${styles.list} ${styles.tabs}`}>
          {tabs.map(({ name, ...tab }) => (
            <Item key={name} {...tab} />
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
  current: 'page' | 'true' | undefined
  isDisabled?: boolean
}

/** Scrolls the row of tabs, which is wider than a narrow screen. */
const scrollToMiddle = (item: HTMLElement | null): void => {
  const row = item?.parentElement ?? null
  if (item === null || row === null) return
  const [own, whole] = [item.getBoundingClientRect(), row.getBoundingClientRect()]
  row.scrollLeft += own.left + own.width / 2 - (whole.left + whole.width / 2)
}

function Item({ label, icon, href, current, isDisabled = false }: ItemProps) {
  return (
    <li ref={current === undefined ? null : scrollToMiddle}>
      {isDisabled ? (
        <span className={styles.item} role="link" aria-disabled="true">
          <span aria-hidden="true">{icon}</span>
          <span className={styles.label}>{label}</span>
        </span>
      ) : (
        <Link href={href} className={styles.item} aria-current={current}>
          <span aria-hidden="true">{icon}</span>
          <span className={styles.label}>{label}</span>
        </Link>
      )}
    </li>
  )
}
