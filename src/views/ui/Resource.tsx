import type { ReactNode } from 'react'
import { useLingui } from '@lingui/react/macro'
import { CircleAlert } from 'lucide-react'
import type { Refusal } from '../../api/reply.ts'
import { refusalText } from '../../i18n/errors.ts'
import { Button } from './Button.tsx'
import { Skeleton, StatePanel } from './State.tsx'
import styles from './Resource.module.css'

interface ResourceProps<Value> {
  value: Value | null
  refusal: Refusal | null
  onRetry: () => void
  children: (value: Value) => ReactNode
}

/** What a page shows of a thing of the server: its shape while it loads, the thing, and over it why it could not be had. */
export function Resource<Value>({ value, refusal, onRetry, children }: ResourceProps<Value>) {
  const { t } = useLingui()
  if (refusal === null) return value === null ? <Loading /> : children(value)
  const { message, code } = refusalText(refusal.code)
  const words = `${t(message)}${code === '' ? '' : ` (${code})`}`
  if (value === null) {
    return (
      <StatePanel icon={<CircleAlert size={20} />} title={words} announce actions={<Button onClick={onRetry}>{t`Try again`}</Button>} />
    )
  }
  return (
    <>
      <p className={styles.stale} role="status">
        <CircleAlert size={16} aria-hidden="true" />
        <span>{words}</span>
        <Button variant="quiet" onClick={onRetry}>{t`Try again`}</Button>
      </p>
      {children(value)}
    </>
  )
}

function Loading() {
  return (
    <div className={styles.loading} aria-busy="true">
      <Skeleton height="120px" />
      <Skeleton height="240px" />
    </div>
  )
}
