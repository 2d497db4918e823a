import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound, Pencil, Trash2 } from 'lucide-react'
import type { Passkey } from '../../api/contract/passkeys.ts'
import { formatMoment, formatRelative } from '../../i18n/formats.ts'
import people from '../people/people.module.css'
import { IconButton } from '../ui/IconButton.tsx'

interface PasskeyItemProps {
  passkey: Passkey
  now: number
  /** The host name in the console's address. A passkey works only for the host that it was created for. */
  host: string
  /** Without it, as for administrators, there is no button. */
  onRename?: () => void
  onRemove: () => void
}

/** A passkey in a list: users rename and remove their own, administrators remove those of other users. */
export function PasskeyItem({ passkey, now, host, onRename, onRemove }: PasskeyItemProps) {
  const { t } = useLingui()
  const name = passkey.name || passkey.id
  const passkeyHost = passkey.host
  return (
    <li>
      <span className={people.avatar} aria-hidden="true">
        <KeyRound size={16} />
      </span>
      <div className={people.item}>
        <p className={people.name}>{name}</p>
        <LastUse passkey={passkey} now={now} />
        {passkeyHost !== host && (
          <p className={people.muted}>
            <Trans>Only for the address {passkeyHost}</Trans>
          </p>
        )}
      </div>
      {onRename !== undefined && (
        <IconButton label={t`Rename ${name}`} icon={<Pencil size={16} />} placement="left" onPress={onRename} />
      )}
      <IconButton label={t`Remove ${name}`} icon={<Trash2 size={16} />} placement="left" onPress={onRemove} />
    </li>
  )
}

function LastUse({ passkey: { createTime, lastUsedTime }, now }: Pick<PasskeyItemProps, 'passkey' | 'now'>) {
  const time = lastUsedTime ?? createTime
  if (time === undefined) return null
  const words = formatRelative(time, now)
  const moment = formatMoment(time)
  const isUsed = lastUsedTime !== undefined && lastUsedTime !== null
  return (
    <p className={people.muted}>
      {isUsed ? <Trans>Last used {words}</Trans> : <Trans>Not used yet, added {words}</Trans>} ·{' '}
      <time dateTime={new Date(time).toISOString()}>{moment}</time>
    </p>
  )
}
