import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { alertFormMachine, AlertValues } from '../../machines/alerts/alert-values.ts'
import { selectSettings } from '../../machines/app/app.selectors.ts'
import type { CameraList } from '../../machines/streams/cameras.machine.ts'
import { useApp } from '../app/console.ts'
import { inLabelList, useLabelNames } from '../events/use-label-names.ts'
import { Form, useFormState } from '../form/Form.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import people from '../people/people.module.css'
import { CameraChips, CameraSelect } from '../ui/Cameras.tsx'
import { CheckField, TextField } from '../ui/Field.tsx'
import { Destinations, type PushProps } from './Destinations.tsx'
import { QuietHours } from './QuietHours.tsx'
import { eventWords, useWords } from './words.ts'
import styles from './Alerts.module.css'

interface AlertFormProps {
  form: ActorRefFrom<typeof alertFormMachine>
  cameras: CameraList
  hasSecrets: boolean
  push: PushProps
  onClose: () => void
}

export function AlertForm({ form, cameras, hasSecrets, push, onClose }: AlertFormProps) {
  const { t } = useLingui()
  const id = useId()
  const words = useWords()
  const { nameOf, labelOf } = useLabelNames()
  const hasQuietHours = useApp(selectSettings).features.includes('alert-quiet-hours')
  const { values, isBusy, errorOf } = useFormState(form)
  const { name, on, streams, labels, quietMinutes } = values
  const edit = (change: Partial<AlertValues>) => form.send({ type: 'form.edited', values: change })
  const selection = {
    selected: streams,
    cameras,
    onChange: (selected: readonly string[]) => edit({ streams: selected }),
  }
  const concernsCameras = on.some((event) => event.startsWith('stream.') || event === 'event')
  const offered = [...new Set([...Object.keys(eventWords), ...on])]
  const toggle = (event: string, isOn: boolean) =>
    edit({ on: offered.filter((one) => (one === event ? isOn : on.includes(one))) })
  return (
    <FormDialog
      title={values.id === '' ? t`Add alert` : t`Edit alert`}
      form={id}
      submitLabel={t`Save`}
      isBusy={isBusy}
      onClose={onClose}
      size="large"
    >
      <Form form={form} id={id} className={people.form} focusFirst>
        <TextField
          label={t`Name`}
          name="name"
          autoComplete="off"
          maxLength={100}
          value={name}
          error={errorOf('name')}
          onChange={(value) => edit({ name: value })}
        />
        <fieldset className={styles.group} aria-describedby={`${id}-on`}>
          <legend>
            <Trans>When</Trans>
          </legend>
          {offered.map((event) => (
            <CheckField
              key={event}
              label={words(eventWords, event)}
              checked={on.includes(event)}
              invalid={errorOf('on') !== undefined}
              onChange={(isOn) => toggle(event, isOn)}
            />
          ))}
          <p id={`${id}-on`} className={styles.apiError} role="alert" hidden={errorOf('on') === undefined}>
            {errorOf('on') !== undefined && <Trans>Select at least one</Trans>}
          </p>
        </fieldset>
        {concernsCameras && (
          <div className={styles.cameras}>
            <CameraSelect
              label={t`Cameras`}
              {...selection}
              error={errorOf('streams') ?? streams.map((_uid, index) => errorOf(`streams.${index}`)).find(Boolean)}
            />
            {streams.length > 0 && <CameraChips label={t`Selected cameras`} {...selection} />}
          </div>
        )}
        {on.includes('event') && (
          <TextField
            label={t`Labels`}
            name="labels"
            autoComplete="off"
            autoCapitalize="none"
            help={t`Separated by commas, such as person, car. Leave empty for every event.`}
            value={inLabelList(labels, nameOf)}
            error={errorOf('labels')}
            onChange={(value) => edit({ labels: inLabelList(value, labelOf) })}
          />
        )}
        <TextField
          label={t`Don't repeat for, minutes`}
          name="quietMinutes"
          inputMode="numeric"
          autoComplete="off"
          help={t`The same camera, disk or label isn't reported again within this time.`}
          value={quietMinutes}
          error={errorOf('quietMinutes')}
          onChange={(value) => edit({ quietMinutes: value })}
        />
        {hasQuietHours && (
          <QuietHours hours={values.quietHours} errorOf={errorOf} onChange={(quietHours) => edit({ quietHours })} />
        )}
        <Destinations
          to={values.to}
          hasSecrets={hasSecrets}
          push={push}
          errorOf={errorOf}
          onChange={(to) => edit({ to })}
        />
      </Form>
    </FormDialog>
  )
}
