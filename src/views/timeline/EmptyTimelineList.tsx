import { Trans, useLingui } from '@lingui/react/macro'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { apiErrorText } from '../../i18n/errors.ts'
import { StatePanel } from '../ui/State.tsx'
import styles from './TimelineLists.module.css'

interface EmptyTimelineListProps {
  icon: ReactNode
  emptyTitle: string
  forbiddenTitle: string
  forbidden: string | null
  isLoading: boolean
}

/** Why a list beside the timeline is empty: no access, still loading, or nothing in the shown period. */
export function EmptyTimelineList({ icon, emptyTitle, forbiddenTitle, forbidden, isLoading }: EmptyTimelineListProps) {
  const { t, i18n } = useLingui()
  if (forbidden !== null) {
    return (
      <StatePanel icon={<Lock size={20} />} title={forbiddenTitle}>
        {i18n._(apiErrorText(forbidden).message)}
      </StatePanel>
    )
  }
  if (isLoading) return <p className={styles.count}>{t`Loading the archive…`}</p>
  return (
    <StatePanel icon={icon} title={emptyTitle}>
      <Trans>Move the timeline, or zoom out to see a longer period.</Trans>
    </StatePanel>
  )
}
