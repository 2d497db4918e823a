import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from './Button.tsx'
import styles from './Pages.module.css'

interface PagesProps {
  page: number
  last: number
  /** There is more than was counted, so the last page is unknown. */
  hasMore: boolean
  onPage: (page: number) => void
}

/** Pages of a list that has the newest entries first. Before a page beyond the last, which is empty, comes the last. */
export function Pages({ page, last, hasMore, onPage }: PagesProps) {
  const { t } = useLingui()
  return (
    <nav className={styles.pages} aria-label={t`Pages`}>
      <Button disabled={page <= 1} onClick={() => onPage(Math.min(page - 1, Math.max(1, last)))}>{t`Newer`}</Button>
      <span>
        {hasMore ? (
          <Trans>Page {page}</Trans>
        ) : (
          <Trans>
            Page {page} of {last}
          </Trans>
        )}
      </span>
      <Button disabled={page >= last && !hasMore} onClick={() => onPage(page + 1)}>{t`Older`}</Button>
    </nav>
  )
}
