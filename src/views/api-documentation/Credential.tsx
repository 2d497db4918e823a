import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import type { apiDocumentationMachine } from '../../machines/api-documentation/api-documentation.machine.ts'
import { selectUser } from '../../machines/app/app.selectors.ts'
import { useApp } from '../app/console.ts'
import { PasswordField } from '../ui/PasswordField.tsx'
import styles from './OperationList.module.css'

export function Credential({ actor }: { actor: ActorRefFrom<typeof apiDocumentationMachine> }) {
  const { t } = useLingui()
  const token = useSelector(actor, ({ context }) => context.token)
  const name = useApp(selectUser)?.name ?? ''
  return (
    <div className={styles.credential}>
      <PasswordField
        label={t`Token`}
        autoComplete="off"
        value={token}
        onChange={(text) => actor.send({ type: 'token.edited', token: text })}
        help={
          token.trim() === '' ? (
            <Trans>Empty: calls are sent as {name}, with this session.</Trans>
          ) : (
            <Trans>Calls are sent with this token. It isn't stored after you leave the page.</Trans>
          )
        }
      />
    </div>
  )
}
