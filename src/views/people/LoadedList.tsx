import type { ReactNode } from 'react'
import type { ApiError } from '../../api/reply.ts'
import { Refused } from '../ui/Resource.tsx'
import { ListSkeleton } from './parts.tsx'
import styles from './people.module.css'

interface LoadedListProps {
  isLoading: boolean
  isFailed: boolean
  apiError: ApiError | null
  onRetry: () => void
  skeletonRows: number
  label: { 'aria-label': string } | { 'aria-labelledby': string }
  /** Shown where there are no items. */
  empty: ReactNode
  /** The items, which stay while they are fetched again. */
  children: readonly ReactNode[]
}

/** A list while it is loaded, after that has failed, and with its items. */
export function LoadedList(props: LoadedListProps) {
  const { isLoading, isFailed, apiError, onRetry, skeletonRows, label, empty, children } = props
  return (
    <>
      {isLoading && <ListSkeleton rows={skeletonRows} />}
      {isFailed && apiError !== null && <Refused apiError={apiError} onRetry={onRetry} />}
      {!isLoading && !isFailed && children.length === 0 && empty}
      {children.length > 0 && (
        <ul className={styles.list} {...label}>
          {children}
        </ul>
      )}
    </>
  )
}
