import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert, ListPlus, Lock, Radar, ShieldAlert, Video } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { formatNumber } from '../../i18n/formats.ts'
import { selectIsAdmin } from '../../machines/app/app.selectors.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { selectContext, selectIsBusy } from '../../machines/selectors.ts'
import { type addStreamMachine, onvifFeature } from '../../machines/stream-pages/add-stream.machine.ts'
import type { newStreamForm } from '../../machines/stream-pages/stream-form.ts'
import { fullSources } from '../../machines/stream-pages/source-credentials.ts'
import type { StreamValues } from '../../machines/stream-pages/stream-values.ts'
import { useApp } from '../app/console.ts'
import { Form, LeaveDialog } from '../form/Form.tsx'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'
import { StatePanel } from '../ui/State.tsx'
import { forgetOutdated, SourceProbe } from '../stream-pages/SourceProbe.tsx'
import { StreamFields } from '../stream-pages/StreamFields.tsx'
import fields from '../stream-pages/StreamFields.module.css'
import { useNodes } from '../stream-pages/use-nodes.ts'
import { BatchForm } from './BatchForm.tsx'
import { FindCameras } from './FindCameras.tsx'
import styles from './AddStreamPage.module.css'

type AddStreamRef = ActorRefFrom<typeof addStreamMachine>
type Snapshot = SnapshotFrom<typeof addStreamMachine>
type FormSnapshot = SnapshotFrom<typeof newStreamForm>

const selectIsReadOnly = (snapshot: Snapshot) => snapshot.matches('readOnly')
const selectIsUnlicensed = (snapshot: Snapshot) => snapshot.matches('unlicensed')
const selectIsAdded = (snapshot: Snapshot) => snapshot.matches('added')
const selectIsSeveral = (snapshot: Snapshot) => snapshot.matches({ open: { filling: 'several' } })
const selectIsFinding = (snapshot: Snapshot) => snapshot.matches({ open: { filling: 'finding' } })
const selectHasFinding = ({ context: { settings } }: Snapshot) => settings.features.includes(onvifFeature)
const selectIsSaving = (snapshot: FormSnapshot | undefined) => snapshot?.hasTag('busy') === true

export function AddStreamPage({ actor }: { actor: AddStreamRef }) {
  const { t } = useLingui()
  const isAdmin = useApp(selectIsAdmin)
  const { form, batch, cameras } = useSelector(actor, selectContext)
  const isSeveral = useSelector(actor, selectIsSeveral)
  const isFinding = useSelector(actor, selectIsFinding)
  const hasFinding = useSelector(actor, selectHasFinding)
  const isAdding = useSelector(batch, selectIsBusy)
  const isSaving = useSelector(form ?? undefined, selectIsSaving)
  const isReadOnly = useSelector(actor, selectIsReadOnly)
  const isUnlicensed = useSelector(actor, selectIsUnlicensed)
  if (isReadOnly) {
    return (
      <StatePanel
        icon={<Lock size={20} />}
        title={t`You can't add streams`}
        actions={<ButtonLink href="/streams">{t`All streams`}</ButtonLink>}
      >
        <Trans>
          You may watch streams, but not add them. Ask an administrator for permission, or to add the camera for you.
        </Trans>
      </StatePanel>
    )
  }
  if (isUnlicensed) {
    return (
      <>
        {form !== null && <LeaveDialog form={form} />}
        <LeaveDialog form={batch} />
        <StatePanel
          icon={<ShieldAlert size={20} />}
          title={t`License is missing or expired`}
          actions={
            isAdmin ? (
              <ButtonLink href={pathTo('license')} variant="primary">{t`Upload a license`}</ButtonLink>
            ) : (
              <ButtonLink href="/streams">{t`All streams`}</ButtonLink>
            )
          }
        >
          <Trans>No streams can be added until a valid license is uploaded.</Trans>
        </StatePanel>
      </>
    )
  }
  if (form === null) return null
  return (
    <Page
      title={t`Add stream`}
      width={isSeveral || isFinding ? 'wide' : 'narrow'}
      actions={
        <>
          {hasFinding && !isFinding && (
            <Button
              disabled={isAdding || isSaving}
              icon={<Radar size={16} aria-hidden="true" />}
              onClick={() => actor.send({ type: 'finding.chosen' })}
            >{t`Find cameras`}</Button>
          )}
          {(isSeveral || isFinding) && (
            <Button
              disabled={isAdding}
              icon={<Video size={16} aria-hidden="true" />}
              onClick={() => actor.send({ type: 'one.chosen' })}
            >
              {t`One stream`}
            </Button>
          )}
          {!isSeveral && (
            <Button
              disabled={isSaving}
              icon={<ListPlus size={16} aria-hidden="true" />}
              onClick={() => actor.send({ type: 'several.chosen' })}
            >{t`Several at once`}</Button>
          )}
        </>
      }
    >
      <Quota actor={actor} />
      {(isSeveral || isFinding) && <LeaveDialog form={form} />}
      <LeaveDialog form={batch} />
      {isFinding ? (
        <FindCameras actor={cameras} />
      ) : isSeveral ? (
        <BatchForm actor={batch} />
      ) : (
        <AddForm actor={actor} form={form} />
      )}
    </Page>
  )
}

function AddForm({ actor, form }: { actor: AddStreamRef; form: ActorRefFrom<typeof newStreamForm> }) {
  const { t } = useLingui()
  const { settings, probing, substreamProbing, nodes } = useSelector(actor, selectContext)
  const isAdded = useSelector(actor, selectIsAdded)
  const { values, saved, errors } = useSelector(form, selectContext)
  const isBusy = useSelector(form, selectIsBusy)
  const edit = (edited: Partial<StreamValues>) => {
    form.send({ type: 'form.edited', values: edited })
    forgetOutdated({ probing, substreamProbing }, edited)
  }
  const source = fullSources(values).streamSource
  return (
    <Form form={form} className={fields.form} focusFirst>
      <StreamFields
        values={values}
        saved={saved}
        errors={errors}
        settings={settings}
        nodes={useNodes(nodes)}
        onEdit={edit}
        probe={
          <SourceProbe
            probing={probing}
            substreamProbing={substreamProbing}
            values={values}
            subject={{ url: source }}
          />
        }
      />
      <div className={fields.submit}>
        <Button type="submit" variant="primary" busy={isBusy || isAdded}>
          {t`Add stream`}
        </Button>
        {isBusy && !isAdded && <Button onClick={() => form.send({ type: 'form.cancelled' })}>{t`Cancel`}</Button>}
      </div>
      {isBusy && !isAdded && (
        <div className={styles.progress} role="status">
          <p>
            <Trans>
              The server connects to the source; this takes up to 35 seconds. If you cancel late, the stream may still
              be added.
            </Trans>
          </p>
          <span className={styles.bar} aria-hidden="true" />
        </div>
      )}
    </Form>
  )
}

function Quota({ actor }: { actor: AddStreamRef }) {
  const { user, administered: count, isQuotaReached } = useSelector(actor, selectContext)
  if (user === null) return null
  const { isAdmin, maxStreamCreation } = user
  const [quota, administered] = [formatNumber(maxStreamCreation), formatNumber(count)]
  if (isQuotaReached) {
    return (
      <p className={styles.warning} role="alert">
        <CircleAlert size={16} aria-hidden="true" />
        <span>
          <Trans>
            Quota is reached: you can't add more streams. Delete one, or ask an administrator to raise “Max streams”.
          </Trans>
        </span>
      </p>
    )
  }
  if (isAdmin || maxStreamCreation <= 0) return null
  if (count >= maxStreamCreation) {
    return (
      <p className={styles.warning}>
        <CircleAlert size={16} aria-hidden="true" />
        <span>
          <Trans>
            Max streams: {quota}. You already manage {administered}, so the server may accept no more.
          </Trans>
        </span>
      </p>
    )
  }
  return (
    <p className={fields.note}>
      <Trans>Max streams: {quota}.</Trans>
    </p>
  )
}
