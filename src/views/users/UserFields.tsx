import { useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import { selectHasTokenRevocation } from '../../machines/app/app.selectors.ts'
import type { userFormMachine } from '../../machines/users/user-values.ts'
import { useApp } from '../app/console.ts'
import { useForm } from '../form/Form.tsx'
import { Group } from '../people/parts.tsx'
import { useLanguageOptions } from '../people/words.ts'
import { SelectField, TextField } from '../ui/Field.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { PasswordStrength } from '../ui/PasswordStrength.tsx'

interface UserFieldsProps {
  form: ActorRefFrom<typeof userFormMachine>
  isNew?: boolean
  /** Login, email and password come from another system (docs/wire.md §5.4), the rest is edited here. */
  isManaged?: boolean
  /** Administrators change their own password in the profile, which asks for the old one. */
  isSelf?: boolean
  isOnlyAdministrator?: boolean
}

export function UserFields({
  form,
  isNew = false,
  isManaged = false,
  isSelf = false,
  isOnlyAdministrator = false,
}: UserFieldsProps) {
  const { t } = useLingui()
  const { values, errors, text } = useForm(form)
  const options = useLanguageOptions(values.language)
  const areTokensRevoked = useApp(selectHasTokenRevocation)
  const keepPasswordHelp = areTokensRevoked
    ? t`Leave empty to keep the current password. A new one ends all sessions of the user and revokes the API tokens.`
    : t`Leave empty to keep the current password.`
  const passwordHelp = isNew ? t`The user has to change it at the first sign-in.` : keepPasswordHelp
  const role = text('permissionType')
  const roleError =
    errors['permissionType'] === 'ActionNotAcceptable'
      ? t`The last administrator can't be made an ordinary user`
      : role.error
  const roles = [
    { value: 'user', label: t`User` },
    { value: 'admin', label: t`Administrator` },
  ]
  return (
    <>
      <Group title={t`Account`}>
        <TextField
          label={t`Login`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          disabled={isManaged}
          {...text('name')}
        />
        <TextField label={t`Full name`} autoComplete="off" {...text('fullName')} />
        <TextField
          label={t`Email`}
          type="email"
          autoComplete="off"
          disabled={isManaged}
          help={t`Used to recover the password.`}
          {...text('email')}
        />
        {!isSelf && (
          <>
            <PasswordField
              label={isNew ? t`Password` : t`New password`}
              autoComplete="new-password"
              disabled={isManaged}
              help={passwordHelp}
              {...text('password')}
            />
            <PasswordStrength password={values.password} login={values.name} />
          </>
        )}
        <SelectField label={t`Language`} options={options} {...text('language')} />
      </Group>
      <Group title={t`Role and limits`}>
        <SelectField
          label={t`Role`}
          options={roles}
          disabled={isOnlyAdministrator}
          help={
            isOnlyAdministrator
              ? t`You are the only administrator: make somebody else an administrator first.`
              : t`Administrators see every stream and manage the server.`
          }
          {...role}
          error={roleError}
        />
        <TextField
          label={t`Max streams`}
          inputMode="numeric"
          autoComplete="off"
          help={t`How many streams the user may add. Empty: no limit. 0: read-only.`}
          {...text('maxStreamCreation')}
        />
      </Group>
    </>
  )
}
