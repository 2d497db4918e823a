import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound, Lock } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectMustChangePassword, selectUser } from '../../machines/app/app.selectors.ts'
import type { profileEditMachine } from '../../machines/profile/profile-edit.machine.ts'
import { useApp } from '../app/console.ts'
import { Form, useForm } from '../form/Form.tsx'
import { Group } from '../people/parts.tsx'
import styles from '../people/people.module.css'
import { useLanguageOptions } from '../people/words.ts'
import { Button } from '../ui/Button.tsx'
import { CheckField, SelectField, TextField } from '../ui/Field.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { PasswordStrength } from '../ui/PasswordStrength.tsx'
import { Page } from '../ui/Page.tsx'

const selectForm = ({ context }: SnapshotFrom<typeof profileEditMachine>) => context.form

export function ProfileEditPage({ actor }: { actor: ActorRefFrom<typeof profileEditMachine> }) {
  const { t } = useLingui()
  const form = useSelector(actor, selectForm)
  const mustChange = useApp(selectMustChangePassword)
  const user = useApp(selectUser)
  const isManaged = user?.isManaged === true
  const { values, isBusy, edit, text } = useForm(form)
  const options = useLanguageOptions(values.language)
  return (
    <Page isOwnTitle title={t`Edit profile`} width="narrow">
      {mustChange && (
        <p className={`${styles.notice} ${styles.warning}`} role="status">
          <KeyRound size={16} aria-hidden="true" />
          <span>
            <Trans>
              Your password was set by somebody else. Set your own to continue; the requested page opens afterwards.
            </Trans>
          </span>
        </p>
      )}
      {isManaged && (
        <p className={styles.notice}>
          <Lock size={16} aria-hidden="true" />
          <span>
            <Trans>Your login, email and password come from another system and are changed there.</Trans>
          </span>
        </p>
      )}
      <Form form={form} className={styles.panel}>
        <Group title={t`About you`}>
          <TextField label={t`Full name`} autoComplete="name" {...text('fullName')} />
          <TextField label={t`Email`} type="email" autoComplete="email" disabled={isManaged} {...text('email')} />
          <SelectField label={t`Language`} options={options} {...text('language')} />
        </Group>
        <Group title={t`Change password`}>
          <PasswordField
            label={t`Old password`}
            autoComplete="current-password"
            disabled={isManaged}
            {...text('oldPassword')}
          />
          <PasswordField
            label={t`New password`}
            autoComplete="new-password"
            disabled={isManaged}
            {...text('password')}
          />
          <PasswordStrength password={values.password} login={user?.name ?? ''} />
          {values.tokens !== '' && values.password !== '' && (
            <CheckField
              label={t`Revoke my API tokens`}
              help={t`Programs that use them lose access immediately.`}
              checked={values.tokens === 'revoked'}
              onChange={(isRevoked) => edit('tokens', isRevoked ? 'revoked' : 'kept')}
            />
          )}
        </Group>
        <div className={styles.end}>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t`Save`}
          </Button>
        </div>
      </Form>
    </Page>
  )
}
