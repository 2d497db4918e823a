import { fromPromise } from 'xstate'
import { mapReply } from '../../api/map-reply.ts'
import {
  getConfigurationHistory,
  getServerConfiguration,
  putServerConfiguration,
} from '../../api/resources/administration.ts'
import { changesBetween, flatten, nest } from '../../machines/administration/configuration-values.ts'
import {
  configurationFormMachine,
  configurationHistoryMachine,
  configurationMachine,
} from '../../machines/administration/configuration.machine.ts'
import { ConfigurationPage } from '../../views/administration/ConfigurationPage.tsx'
import { storeDraft } from '../shared/drafts.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { definePage } from '../page.ts'
import { visibility } from '../shared/visibility.ts'

export const page = definePage({
  logic: configurationMachine.provide({
    actors: {
      fetchConfiguration: fromPromise(({ signal }) => getServerConfiguration(signal)),
      form: configurationFormMachine.provide({
        actors: {
          submit: fromPromise(async ({ input: { values, saved }, signal }) => {
            // Another administrator may have saved since: only what was changed here replaces their values.
            const found = await getServerConfiguration(signal)
            const changes = changesBetween(saved, values).map(({ path, after }) => [path, after] as const)
            const current = found.ok ? flatten(found.value.values) : saved
            return putServerConfiguration(nest({ ...current, ...Object.fromEntries(changes) }), signal)
          }),
          watchLeaving,
          storeDraft,
        },
      }),
      history: configurationHistoryMachine.provide({
        actors: {
          fetchResource: fromPromise(async ({ signal }) =>
            mapReply(await getConfigurationHistory(signal), ({ items }) => items),
          ),
          visibility,
        },
      }),
    },
  }),
  View: ConfigurationPage,
})
