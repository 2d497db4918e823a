import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { formatDay } from '../../i18n/formats.ts'
import { selectPricingUrl, selectSettings } from '../../machines/app/app.selectors.ts'
import type { licenseFormMachine, licenseMachine } from '../../machines/administration/license.machine.ts'
import { useApp } from '../app/console.ts'
import { Form, useForm } from '../form/Form.tsx'
import { Button } from '../ui/Button.tsx'
import { TextArea } from '../ui/Field.tsx'
import { ChooseFile, FileDrop } from '../ui/FileDrop.tsx'
import { Facts, Page, Panel } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { useFileText } from '../ui/use-file-text.ts'
import styles from './Administration.module.css'

const selectState = ({ context }: SnapshotFrom<typeof licenseMachine>) => context.state
const selectForm = ({ context }: SnapshotFrom<typeof licenseMachine>) => context.form

export function LicensePage({ actor }: { actor: ActorRefFrom<typeof licenseMachine> }) {
  const { t } = useLingui()
  const state = useSelector(actor, selectState)
  const form = useSelector(actor, selectForm)
  const { value, apiError } = useSelector(state, ({ context }) => context)
  const { isEnterprise, isLicenseExpired } = useApp(selectSettings)
  const pricingUrl = useApp(selectPricingUrl)
  return (
    <Page title={t`License`} width="narrow">
      <Panel title={t`State`}>
        <Resource value={value} apiError={apiError} onRetry={() => state.send({ type: 'resource.retried' })}>
          {({ expired, expiresAt, features }) => (
            <Facts
              facts={[
                { name: t`Edition`, value: isEnterprise ? t`Enterprise` : t`Free` },
                { name: t`License`, value: expired || isLicenseExpired ? t`Missing or expired` : t`Valid` },
                { name: t`Expires`, value: expiresAt === undefined ? t`Never` : formatDay(expiresAt) },
                { name: t`Features`, value: features.length === 0 ? t`Basic features` : features.join(', ') },
              ]}
            />
          )}
        </Resource>
        {pricingUrl !== '' && (
          <p>
            <a href={pricingUrl} target="_blank" rel="noopener">{t`Get a license`}</a>
          </p>
        )}
      </Panel>
      <Panel title={t`Upload a license`} isRegion={false}>
        <LicenseForm form={form} />
      </Panel>
    </Page>
  )
}

function LicenseForm({ form }: { form: ActorRefFrom<typeof licenseFormMachine> }) {
  const { t } = useLingui()
  const { values, isBusy, edit, text } = useForm(form)
  const field = text('text')
  const fill = (content: string) => edit('text', content)
  const { read, error } = useFileText(values.text, fill)
  return (
    <FileDrop className={styles.drop} onFile={read} onText={fill}>
      <Form form={form} className={styles.form}>
        <TextArea
          label={t`License`}
          rows={6}
          spellCheck={false}
          help={<Trans>Paste the license text, or drop or choose its file here.</Trans>}
          {...field}
          error={error ?? field.error}
        />
        <div className={styles.row}>
          <ChooseFile onFile={read} />
          <Button
            type="submit"
            variant="primary"
            busy={isBusy}
            disabled={values.text.trim() === ''}
          >{t`Upload`}</Button>
        </div>
      </Form>
    </FileDrop>
  )
}
