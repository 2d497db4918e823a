import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { titles } from '../../i18n/titles.ts'
import type { userAddMachine } from '../../machines/users/user-add.machine.ts'
import { Form, useForm } from '../form/Form.tsx'
import styles from '../people/people.module.css'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'
import { UserFields } from './UserFields.tsx'

const selectForm = ({ context }: SnapshotFrom<typeof userAddMachine>) => context.form

export function UserAddPage({ actor }: { actor: ActorRefFrom<typeof userAddMachine> }) {
  const { t } = useLingui()
  const form = useSelector(actor, selectForm)
  const { isBusy } = useForm(form)
  return (
    <Page title={t(titles.addUser)} width="narrow">
      <Form form={form} className={styles.panel} focusFirst>
        <UserFields form={form} isNew />
        <div className={styles.end}>
          <ButtonLink href="/administration/users">{t`Cancel`}</ButtonLink>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t`Add`}
          </Button>
        </div>
      </Form>
    </Page>
  )
}
