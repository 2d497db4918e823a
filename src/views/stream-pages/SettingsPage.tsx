import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { EyeOff } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import { pathTo } from '../../machines/app/routes.ts'
import { selectIsDirty } from '../../machines/form/form.selectors.ts'
import { selectContext, selectIsBusy } from '../../machines/selectors.ts'
import { fullSources } from '../../machines/stream-pages/source-credentials.ts'
import type { streamSettingsMachine } from '../../machines/stream-pages/settings.machine.ts'
import type { StreamValues } from '../../machines/stream-pages/stream-values.ts'
import { Form } from '../form/Form.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'
import { forgetOutdated, SourceProbe } from './SourceProbe.tsx'
import { StreamFields } from './StreamFields.tsx'
import { SubmitRow } from './SubmitRow.tsx'
import { useNodes } from './use-nodes.ts'
import styles from './StreamFields.module.css'

type SettingsRef = ActorRefFrom<typeof streamSettingsMachine>

export function SettingsPage({ actor }: { actor: SettingsRef }) {
  const { t } = useLingui()
  const { uid, settings, form, probing, substreamProbing, nodes, tracks } = useSelector(actor, selectContext)
  const { values, saved, errors } = useSelector(form, selectContext)
  const isBusy = useSelector(form, selectIsBusy)
  const isChanged = useSelector(form, selectIsDirty)
  const edit = (edited: Partial<StreamValues>) => {
    form.send({ type: 'form.edited', values: edited })
    forgetOutdated({ probing, substreamProbing }, edited)
  }
  const source = fullSources(values).streamSource
  const isSaved = source === fullSources(saved).streamSource
  const subject = isSaved ? { streamId: uid } : { streamId: uid, url: source }
  return (
    <Page
      title={t`Stream settings`}
      width="narrow"
      actions={
        settings.features.includes('masks') && (
          <ButtonLink href={pathTo('streamMasks', { uid })} icon={<EyeOff size={16} aria-hidden="true" />}>
            {t`Privacy masks`}
          </ButtonLink>
        )
      }
    >
      <Form form={form} className={styles.form}>
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
              subject={subject}
              known={tracks}
            />
          }
        />
        <SubmitRow
          isBusy={isBusy}
          isChanged={isChanged}
          onDiscard={() => form.send({ type: 'form.reset', values: saved })}
        />
      </Form>
    </Page>
  )
}
