import { type ActorRefFrom, assign, enqueueActions, fromPromise, setup } from 'xstate'
import type { ConfigurationHistory, SavedConfiguration, ServerConfiguration } from '../../api/contract/system.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { notProvided } from '../not-provided.ts'
import { raiseToast } from '../notifications/toast.ts'
import { pageBroken, handlePageApiError } from '../notifications/page-error.ts'
import { handleRefusal } from '../api-errors.ts'
import { resourceMachineOf } from '../resource/resource.machine.ts'
import { brokenText, type ConfigurationValues, flatten } from './configuration-values.ts'
import { type SchemaField, fieldsOf, validateFields, withoutSecrets } from './schema-fields.ts'

export const configurationFormMachine = formMachineOf<ConfigurationValues, SavedConfiguration, readonly SchemaField[]>({
  validate: (typed, _saved, fields) =>
    typed[brokenText] === undefined ? validateFields(fields, typed) : { [brokenText]: 'invalidJson' },
  afterSave: ({ values }) => flatten(values),
  // Secrets are never stored in the browser.
  draft: (changed, fields) =>
    Object.fromEntries(
      Object.entries(changed).filter(([path]) => fields.some((field) => field.path === path && !field.isSecret)),
    ),
})

export const configurationHistoryMachine = resourceMachineOf<ConfigurationHistory['items'], null>({
  pollMs: null,
  queryOf: () => null,
})

/** A server without this feature keeps no versions (docs/wire.md §1). */
const historyFeature = 'configuration-history'

interface Context {
  fields: readonly SchemaField[]
  apiError: ApiError | null
  form: ActorRefFrom<typeof configurationFormMachine> | null
  history: ActorRefFrom<typeof configurationHistoryMachine> | null
}

/**
 * The configuration page: fetches the server's configuration once and edits it in a form built from its JSON Schema,
 * beside the history of saved versions. Restoring a version only fills in the form, which shows the changes before they
 * are saved.
 */
export const configurationMachine = setup({
  types: {
    context: {} as Context,
    events: {} as
      | FormReport<ConfigurationValues, SavedConfiguration>
      | { type: 'resource.retried' }
      | { type: 'version.restored'; values: Record<string, unknown> },
    input: {} as PageInput,
  },
  actors: {
    fetchConfiguration: fromPromise<Reply<ServerConfiguration>>(notProvided),
    form: configurationFormMachine,
    history: configurationHistoryMachine,
  },
  actions: {
    handleApiError: enqueueActions(handlePageApiError),
    notifySaved: enqueueActions(({ context, enqueue, system }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code: 'configurationSaved' })
      if (context.history) enqueue.sendTo(context.history, { type: 'resource.retried' })
      enqueue.sendParent({ type: 'settings.outdated' })
    }),
  },
}).createMachine({
  id: 'configuration',
  context: ({ input, spawn }) => ({
    fields: [],
    apiError: null,
    form: null,
    history: input.settings.features.includes(historyFeature) ? spawn('history', { id: 'history', input }) : null,
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'fetchConfiguration',
        src: 'fetchConfiguration',
        onDone: [
          {
            guard: ({ event }) => event.output.ok,
            target: 'open',
            actions: assign(({ event, spawn }) => {
              if (!event.output.ok) return {}
              const { schema, values } = event.output.value
              const fields = fieldsOf(schema)
              const form = spawn('form', { id: 'form', input: { values: flatten(values), facts: fields } })
              return { fields, apiError: null, form }
            }),
          },
          {
            target: 'failed',
            actions: handleRefusal,
          },
        ],
        onError: pageBroken,
      },
    },
    failed: { tags: 'error', on: { 'resource.retried': 'loading' } },
    open: {
      on: {
        // The settings repeat parts of the configuration, for example the title and the logo.
        'form.saved': { actions: 'notifySaved' },
        'version.restored': {
          actions: enqueueActions(({ context: { fields, form }, event, enqueue }) => {
            const values = withoutSecrets(fields, flatten(event.values))
            if (form) enqueue.sendTo(form, { type: 'form.edited', values: { ...values, [brokenText]: undefined } })
          }),
        },
      },
    },
  },
})
