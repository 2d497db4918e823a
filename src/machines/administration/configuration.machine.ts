import { type ActorRefFrom, assign, enqueueActions, fromPromise, setup } from 'xstate'
import type { ServerConfiguration } from '../../api/contract/system.ts'
import type { Refusal, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import { type FormReport, formMachineOf } from '../form/form.machine.ts'
import { notProvided } from '../not-provided.ts'
import { notificationsOf } from '../notifications/notifications-ref.ts'
import { refusalOf, unknownRefusal } from '../refusals.ts'

/** The server's values by their paths, dots between the names: `mail.host`. */
export type ConfigurationValues = Record<string, unknown>

export const configurationFormMachine = formMachineOf<ConfigurationValues, object>()

interface Context {
  schema: ServerConfiguration['schema']
  refusal: Refusal | null
  form: ActorRefFrom<typeof configurationFormMachine> | null
}

/** The configuration page: fetched once, then a form over the server's values, built from its JSON Schema. */
export const configurationMachine = setup({
  types: {
    context: {} as Context,
    events: {} as FormReport<ConfigurationValues, object> | { type: 'resource.retried' },
    input: {} as PageInput,
  },
  actors: {
    fetchConfiguration: fromPromise<Reply<ServerConfiguration>>(notProvided),
    form: configurationFormMachine,
  },
}).createMachine({
  id: 'configuration',
  context: { schema: {}, refusal: null, form: null },
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
            actions: assign(({ event, spawn }) =>
              event.output.ok
                ? {
                    schema: event.output.value.schema,
                    refusal: null,
                    form: spawn('form', { id: 'form', input: { values: flatten(event.output.value.values) } }),
                  }
                : {},
            ),
          },
          { target: 'failed', actions: assign({ refusal: ({ event }) => refusalOf(event.output) }) },
        ],
        onError: { target: 'failed', actions: assign({ refusal: unknownRefusal }) },
      },
    },
    failed: { tags: 'error', on: { 'resource.retried': 'loading' } },
    open: {
      on: {
        'form.saved': {
          actions: enqueueActions(({ enqueue, system }) => {
            const notifications = notificationsOf(system)
            if (notifications) enqueue.sendTo(notifications, { type: 'notification.raised', tone: 'success', code: 'configurationSaved' })
          }),
        },
      },
    },
  },
})

/** Nested values as one level of dotted paths; lists stay whole. */
export function flatten(values: Record<string, unknown>, prefix = ''): ConfigurationValues {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isRecord(value) ? Object.entries(flatten(value, `${prefix}${name}.`)) : [[`${prefix}${name}`, value]],
    ),
  )
}

/** The reverse of `flatten`. */
export function nest(values: ConfigurationValues): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(values)) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let place = root
    for (const name of names) {
      const inner = place[name]
      const next = isRecord(inner) ? inner : {}
      place[name] = next
      place = next
    }
    place[last] = value
  }
  return root
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
