import { useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import type { unlockFormMachine } from '../../machines/player/page.machine.ts'
import { Form, useForm } from '../form/Form.tsx'
import people from '../people/people.module.css'
import { Button } from '../ui/Button.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import styles from './LinkPassword.module.css'

/** Asks for the password of a public link. */
export function LinkPassword({ form }: { form: ActorRefFrom<typeof unlockFormMachine> }) {
  const { t } = useLingui()
  const { isBusy, text } = useForm(form)
  return (
    <section className={`${people.panel} ${styles.card}`}>
      <h1 className={styles.title}>{t`This link has a password`}</h1>
      <Form form={form} className={people.form} focusFirst>
        <PasswordField
          label={t`Password`}
          help={t`Ask the person who shared this stream.`}
          autoComplete="off"
          {...text('password')}
        />
        <Button type="submit" variant="primary" busy={isBusy}>
          {t`Watch`}
        </Button>
      </Form>
    </section>
  )
}
