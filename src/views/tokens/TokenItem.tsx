import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound, Trash2 } from 'lucide-react'
import type { Token } from '../../api/contract/user.ts'
import { formatMoment, formatRelative } from '../../i18n/formats.ts'
import people from '../people/people.module.css'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './tokens.module.css'

interface TokenItemProps {
  token: Token
  now: number
  isOwn: boolean
  onRemove: () => void
}

/** A token in a list: users delete their own, administrators revoke those of other users. */
export function TokenItem({ token, now, isOwn, onRemove }: TokenItemProps) {
  const { t } = useLingui()
  const name = token.name || token.id
  return (
    <li>
      <span className={people.avatar} aria-hidden="true">
        <KeyRound size={16} />
      </span>
      <div className={people.item}>
        <p className={people.name}>{name}</p>
        <Expiry token={token} now={now} />
      </div>
      <IconButton
        label={isOwn ? t`Delete ${name}` : t`Revoke ${name}`}
        icon={<Trash2 size={16} />}
        placement="left"
        onPress={onRemove}
      />
    </li>
  )
}

function Expiry({ token: { expireTime }, now }: { token: Token; now: number }) {
  if (expireTime === undefined || expireTime === null) {
    return (
      <p className={people.muted}>
        <Trans>Never expires</Trans>
      </p>
    )
  }
  const words = formatRelative(expireTime, now)
  const moment = formatMoment(expireTime)
  const isExpired = expireTime <= now
  return (
    <p className={isExpired ? styles.expired : people.muted}>
      {isExpired ? <Trans>Expired {words}</Trans> : <Trans>Expires {words}</Trans>} ·{' '}
      <time dateTime={new Date(expireTime).toISOString()}>{moment}</time>
    </p>
  )
}
