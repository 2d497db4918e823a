import { fromPromise } from 'xstate'
import { getNodes, saveStream } from '../../api/resources/stream-administration.ts'
import { titles } from '../../i18n/titles.ts'
import { nodesMachine } from '../../machines/stream-pages/nodes.machine.ts'
import { streamSettingsMachine } from '../../machines/stream-pages/settings.machine.ts'
import { withFieldErrors, streamSettingsForm } from '../../machines/stream-pages/stream-form.ts'
import { streamBodyOf } from '../../machines/stream-pages/stream-values.ts'
import { SettingsPage } from '../../views/stream-pages/SettingsPage.tsx'
import { storeDraft } from '../shared/drafts.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { defineStreamPage, probing } from './stream-page.ts'

export const page = defineStreamPage({
  content: streamSettingsMachine.provide({
    actors: {
      form: streamSettingsForm.provide({
        actors: {
          submit: fromPromise(async ({ input: { values, saved }, signal }) =>
            withFieldErrors(await saveStream(values.uid, streamBodyOf(values, saved), signal)),
          ),
          watchLeaving,
          storeDraft,
        },
      }),
      probing,
      nodes: nodesMachine.provide({ actors: { fetchNodes: fromPromise(({ signal }) => getNodes(signal)) } }),
    },
  }),
  title: titles.streamSettings,
  isForAdmins: true,
  View: SettingsPage,
})
