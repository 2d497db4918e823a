import { useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import { selectAreTokensRevoked } from '../../machines/app/app.selectors.ts'
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
  /** Login, email and password come from elsewhere (docs/wire.md §5.4); the full name and the rest don't. */
  isManaged?: boolean
  /** One's own password is changed in the profile, with the old one. */
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
  const areTokensRevoked = useApp(selectAreTokensRevoked)
  const passwordOfAnother = areTokensRevoked
    ? t`Leave it empty to keep the old one. A new one signs the user out everywhere and revokes the API tokens.`
    : t`Leave it empty to keep the old one.`
  const passwordHelp = isNew ? t`The user chooses another one at the first sign-in.` : passwordOfAnother
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
      <Group title={t`Who it is`}>
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
          help={t`To recover the password by mail.`}
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
      <Group title={t`What they may do`}>
        <SelectField
          label={t`Role`}
          options={roles}
          disabled={isOnlyAdministrator}
          help={
            isOnlyAdministrator
              ? t`You are the only administrator: make somebody else one first.`
              : t`Administrators see every stream and manage the server.`
          }
          {...role}
          error={roleError}
        />
        <TextField
          label={t`Max streams`}
          inputMode="numeric"
          autoComplete="off"
          help={t`How many streams the user may add. Empty: without limit. 0: may only watch.`}
          {...text('maxStreamCreation')}
        />
      </Group>
    </>
  )
}
