import { createActor, setup, SimulatedClock, type AnyStateMachine } from 'xstate'
import { Configuration } from '../../src/api/contract/settings.ts'
import type { User } from '../../src/api/contract/user.ts'
import type { PageInput } from '../../src/machines/app/app.events.ts'
import { notificationsMachine } from '../../src/machines/notifications/notifications.machine.ts'
import { settingsOf } from '../fixtures/replies.ts'

/** The input of a page machine, signed in as `user`. */
export const pageInput = ({
  params = {},
  user = null,
}: { params?: Record<string, string>; user?: User | null } = {}): PageInput => ({
  params,
  address: { pathname: '/', search: '', hash: '' },
  settings: settingsOf(),
  configuration: Configuration.parse({}),
  user,
})

/** Runs a page machine with a parent that records its events, beside the notifications, on a stopped clock. */
export function openPage<Machine extends AnyStateMachine>(page: Machine, input: PageInput) {
  const received: object[] = []
  const clock = new SimulatedClock()
  const child: AnyStateMachine = page
  const parent = setup({ actors: { child, notifications: notificationsMachine } }).createMachine({
    invoke: [
      { id: 'notifications', systemId: 'notifications', src: 'notifications' },
      { id: 'page', src: 'child', input },
    ],
    on: { '*': { actions: ({ event }) => received.push(event) } },
  })
  const actor = createActor(parent, { clock }).start()
  const { page: ref, notifications } = actor.getSnapshot().children
  if (ref === undefined) throw new Error('the page has no actor')
  return {
    received,
    clock,
    ref,
    send: (event: Parameters<typeof ref.send>[0]) => ref.send(event),
    value: () => ref.getSnapshot().value,
    context: () => ref.getSnapshot().context,
    toasts: () => notifications?.getSnapshot().context.shown.map(({ tone, code, values }) => ({ tone, code, values })),
  }
}
