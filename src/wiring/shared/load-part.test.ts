import { expect, test } from 'vitest'
import { createActor, setup } from 'xstate'
import { notificationsMachine } from '../../machines/notifications/notifications.machine.ts'
import { loadPart } from './load-part.ts'

test('code that could not be loaded is reported by a toast, and is used once it could', async () => {
  const root = setup({ actors: { notifications: notificationsMachine } }).createMachine({
    invoke: { id: 'notifications', systemId: 'notifications', src: 'notifications' },
  })
  const actor = createActor(root).start()
  const used: string[] = []
  const use = (part: string) => used.push(part)
  const shown = () =>
    actor
      .getSnapshot()
      .children.notifications?.getSnapshot()
      .context.shown.map(({ tone, code }) => [tone, code])
  await loadPart(actor.system, async () => 'part', use)
  expect([used, shown()]).toEqual([['part'], []])
  await loadPart(actor.system, () => Promise.reject(new Error('no connection')), use)
  expect([used, shown()]).toEqual([['part'], [['error', 'NoResponse']]])
  actor.stop()
})
