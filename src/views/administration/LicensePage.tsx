import { type DragEvent, useRef, useState } from 'react'
import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { FileUp } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { formatDateTime } from '../../i18n/formats.ts'
import { selectConfiguration, selectSettings } from '../../machines/app/app.selectors.ts'
import type { licenseFormMachine, licenseMachine } from '../../machines/administration/license.machine.ts'
import { useApp } from '../app/console.ts'
import { Form, useForm } from '../form/Form.tsx'
import { Button } from '../ui/Button.tsx'
import { TextArea } from '../ui/Field.tsx'
import { Facts, Page, Panel } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import styles from './Administration.module.css'

const selectState = ({ context }: SnapshotFrom<typeof licenseMachine>) => context.state
const selectForm = ({ context }: SnapshotFrom<typeof licenseMachine>) => context.form

export function LicensePage({ actor }: { actor: ActorRefFrom<typeof licenseMachine> }) {
  const { t } = useLingui()
  const state = useSelector(actor, selectState)
  const form = useSelector(actor, selectForm)
  const { value, apiError } = useSelector(state, ({ context }) => context)
  const { isEnterprise, isLicenseExpired } = useApp(selectSettings)
  const { pricingUrl } = useApp(selectConfiguration)
  return (
    <Page title={t`License`} width="narrow">
      <Panel title={t`State`}>
        <Resource value={value} apiError={apiError} onRetry={() => state.send({ type: 'resource.retried' })}>
          {({ expired, expiresAt, features }) => (
            <Facts
              facts={[
                { name: t`Edition`, value: isEnterprise ? t`Enterprise` : t`Free` },
                { name: t`License`, value: expired || isLicenseExpired ? t`Missing or expired` : t`Valid` },
                {
                  name: t`Expires`,
                  value: expiresAt === undefined ? t`Never` : formatDateTime(expiresAt, { dateStyle: 'long' }),
                },
                { name: t`Features`, value: features.length === 0 ? t`The basic ones` : features.join(', ') },
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
      <Panel title={t`Upload a license`}>
        <LicenseForm form={form} />
      </Panel>
    </Page>
  )
}

function LicenseForm({ form }: { form: ActorRefFrom<typeof licenseFormMachine> }) {
  const { t } = useLingui()
  const { values, isBusy, edit, text } = useForm(form)
  const file = useRef<HTMLInputElement>(null)
  const read = async (chosen: File | undefined) => {
    if (chosen !== undefined) edit('text', await chosen.text())
  }
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const dropped = event.dataTransfer.getData('text')
    if (event.dataTransfer.files.length > 0) void read(event.dataTransfer.files[0])
    else if (dropped !== '') edit('text', dropped)
  }
  return (
    <div className={styles.drop} data-over={isOver} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      <Form form={form} className={styles.form}>
        <TextArea
          label={t`License`}
          rows={6}
          spellCheck={false}
          help={<Trans>Paste the text you were sent, drop its file here, or choose it.</Trans>}
          {...text('text')}
        />
        <div className={styles.row}>
          <input
            ref={file}
            type="file"
            hidden
            aria-hidden="true"
            tabIndex={-1}
            onChange={(event) => void read(event.target.files?.[0])}
          />
          <Button
            icon={<FileUp size={16} aria-hidden="true" />}
            onClick={() => file.current?.click()}
          >{t`Choose a file`}</Button>
          <Button
            type="submit"
            variant="primary"
            busy={isBusy}
            disabled={values.text.trim() === ''}
          >{t`Upload`}</Button>
        </div>
      </Form>
    </div>
  )
}
