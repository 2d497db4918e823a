import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound, Lock } from 'lucide-react'
import { Link } from 'wouter'
import type { ActorRefFrom } from 'xstate'
import { selectContext } from '../../machines/selectors.ts'
import type { User } from '../../api/contract/user.ts'
import type { userFormMachine } from '../../machines/users/user-values.ts'
import type { userEditMachine } from '../../machines/users/user-edit.machine.ts'
import { Form, useForm } from '../form/Form.tsx'
import { ListSkeleton } from '../people/parts.tsx'
import styles from '../people/people.module.css'
import { Button } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'
import { Refused } from '../ui/Resource.tsx'
import { UserFields } from './UserFields.tsx'

export function UserEditPage({ actor }: { actor: ActorRefFrom<typeof userEditMachine> }) {
  const { t } = useLingui()
  const { login, user, form, isSelf, isOnlyAdministrator, apiError } = useSelector(actor, selectContext)
  return (
    <Page isOwnTitle title={t`Edit ${login}`} width="narrow">
      {apiError !== null && <Refused apiError={apiError} onRetry={() => actor.send({ type: 'user.retried' })} />}
      {apiError === null && form === null && <ListSkeleton rows={5} />}
      {form !== null && user !== null && (
        <UserForm form={form} user={user} isSelf={isSelf} isOnlyAdministrator={isOnlyAdministrator} />
      )}
    </Page>
  )
}

interface UserFormProps {
  form: ActorRefFrom<typeof userFormMachine>
  user: User
  isSelf: boolean
  isOnlyAdministrator: boolean
}

function UserForm({ form, user: { isManaged }, isSelf, isOnlyAdministrator }: UserFormProps) {
  const { t } = useLingui()
  const { isBusy } = useForm(form)
  return (
    <>
      {isManaged && (
        <p className={styles.notice}>
          <Lock size={16} aria-hidden="true" />
          <span>
            <Trans>This user comes from another system: login, email and password are changed there.</Trans>
          </span>
        </p>
      )}
      {isSelf && !isManaged && (
        <p className={styles.notice}>
          <KeyRound size={16} aria-hidden="true" />
          <span>
            <Trans>
              This is your own account. Change your password in <Link href="/profile/me/edit">your profile</Link>.
            </Trans>
          </span>
        </p>
      )}
      <Form form={form} className={styles.panel}>
        <UserFields form={form} isManaged={isManaged} isSelf={isSelf} isOnlyAdministrator={isOnlyAdministrator} />
        <div className={styles.end}>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t`Save`}
          </Button>
        </div>
      </Form>
    </>
  )
}
