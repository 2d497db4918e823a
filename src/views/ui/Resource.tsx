import type { ReactNode } from 'react'
import { useLingui } from '@lingui/react/macro'
import { CircleAlert, Lock, PlugZap } from 'lucide-react'
import type { ApiError } from '../../api/reply.ts'
import { forbiddenText, isPlainlyForbidden, apiErrorText } from '../../i18n/errors.ts'
import { Button } from './Button.tsx'
import { Skeleton, StatePanel } from './State.tsx'
import styles from './Resource.module.css'

interface ResourceProps<Value> {
  value: Value | null
  apiError: ApiError | null
  onRetry: () => void
  children: (value: Value) => ReactNode
}

/** The content for a value. If reloading it failed, the error is above the value of before. */
export function Resource<Value>({ value, apiError, onRetry, children }: ResourceProps<Value>) {
  const { t } = useLingui()
  if (apiError === null) return value === null ? <Loading /> : children(value)
  if (value === null) return <Refused apiError={apiError} onRetry={onRetry} />
  const { message, code } = apiErrorText(apiError.code)
  const words = `${t(message)}${code === '' ? '' : ` (${code})`}`
  return (
    <>
      <p className={styles.stale} role="status">
        <CircleAlert size={16} aria-hidden="true" />
        <span>{words}</span>
        <Button variant="quiet" onClick={onRetry}>{t`Retry`}</Button>
      </p>
      {children(value)}
    </>
  )
}

/** The page for a resource that can't be loaded; a 403 has a text of its own (docs/behaviour.md §14). */
export function Refused({ apiError, onRetry }: { apiError: ApiError; onRetry: () => void }) {
  const { t, i18n } = useLingui()
  if (apiError.status === 403) {
    const { message, code } = forbiddenText(apiError.code)
    const isPlain = isPlainlyForbidden(apiError.code)
    return (
      <StatePanel
        icon={<Lock size={20} />}
        title={i18n._(message)}
        announce
        actions={isPlain ? undefined : <Button onClick={onRetry}>{t`Retry`}</Button>}
      >
        {isPlain ? t`Ask an administrator if you need access.` : code}
      </StatePanel>
    )
  }
  const { message, code } = apiErrorText(apiError.code)
  return (
    <StatePanel
      icon={<PlugZap size={20} />}
      title={i18n._(message)}
      announce
      actions={<Button variant="primary" onClick={onRetry}>{t`Retry`}</Button>}
    >
      {t`The data could not be loaded from the server. Nothing is lost.`} {code}
    </StatePanel>
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
