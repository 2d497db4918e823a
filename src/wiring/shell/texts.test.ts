import { expect, test } from 'vitest'
import { createActor, setup } from 'xstate'
import { settle } from '../../../tests/machines/settle.ts'
import { notificationsMachine } from '../../machines/notifications/notifications.machine.ts'
import { textPorts } from './texts.ts'

test('a text that is not copied or saved, as the code for it could not be loaded, is reported by a toast', async () => {
  const root = setup({ actors: { notifications: notificationsMachine } }).createMachine({
    invoke: { id: 'notifications', systemId: 'notifications', src: 'notifications' },
  })
  const actor = createActor(root).start()
  const saved: string[] = []
  const texts = { copyText: async () => true, saveText: (name: string) => void saved.push(name) }
  const toasts = () => {
    const { notifications } = actor.getSnapshot().children
    const codes = notifications?.getSnapshot().context.shown.map(({ code }) => code)
    notifications?.send({ type: 'errors.withdrawn' })
    return codes
  }
  const use = async (load: () => Promise<typeof texts>) => {
    const ports = textPorts(actor.system, load)
    const copied = [await ports.copyText('rtsp://camera'), toasts()]
    ports.saveText('codes.txt', 'text/plain', 'codes')
    await settle()
    return [...copied, saved.splice(0), toasts()]
  }
  expect(await use(async () => texts)).toEqual([true, [], ['codes.txt'], []])
  expect(await use(() => Promise.reject(new Error('no connection')))).toEqual([
    false,
    ['NoResponse'],
    [],
    ['NoResponse'],
  ])
  actor.stop()
})
