// @vitest-environment jsdom
import { act, fireEvent } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { unauthorized } from '../../../tests/machines/console.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { catalogue, ownErrors } from '../../../tests/specification/messages.ts'
import { openScreen } from '../../../tests/views/screen.tsx'
import type { NotificationsEvent } from '../../machines/notifications/notifications.machine.ts'

async function open(language = 'en') {
  const screen = await openScreen('/auth', { world: { user: unauthorized }, language })
  const region = () => screen.getByRole('region', { name: language === 'ru' ? 'Уведомления' : 'Notifications' })
  return {
    ...screen,
    region,
    raise: (event: NotificationsEvent) =>
      act(async () => {
        screen.actor.getSnapshot().children.notifications?.send(event)
        await settle()
      }),
    read: () =>
      [...region().querySelectorAll('[role="alert"], [role="status"]')].map((toast) => [
        toast.getAttribute('role'),
        toast.querySelector('strong')?.textContent,
        [...toast.querySelectorAll('p')].map((line) => line.textContent).join(' '),
      ]),
    closeFirst: () =>
      act(async () => {
        fireEvent.click(screen.getAllByRole('button', { name: 'Close notification' })[0] ?? document.body)
        await settle()
      }),
  }
}

const error = (code: string, values: Record<string, string> = {}): NotificationsEvent => ({
  type: 'notification.raised',
  tone: 'error',
  code,
  values,
})
const success = (code: string, values: Record<string, string> = {}): NotificationsEvent => ({
  type: 'notification.raised',
  tone: 'success',
  code,
  values,
})

describe('a toast (docs/behaviour.md §4.5)', () => {
  test('says the words of every code', async () => {
    const { raise, read, closeFirst } = await open()
    const messages: Record<string, unknown> = {}
    for (const code of Object.keys(catalogue)) {
      await raise(error(code))
      const [[role, title, message] = []] = read()
      messages[code] = message
      expect({ role, title }).toEqual({ role: 'alert', title: 'Error' })
      await closeFirst()
    }
    expect(messages).toEqual(catalogue)
  })

  test.each(Object.entries(ownErrors))('%s, of our own, reads %s', async (code, words) => {
    const { raise, read } = await open()
    await raise(error(code, { email: 'ann@example.org' }))
    expect(read()).toEqual([['alert', 'Error', words]])
  })

  test.each(['EHOSTUNREACH', 'AuditLogsDisabled', 'SomethingNew', 'constructor', '__proto__'])(
    'says generic words and the code for %s',
    async (code) => {
      const { raise, read } = await open()
      await raise(error(code))
      expect(read()).toEqual([['alert', 'Error', `Something went wrong ${code}`]])
    },
  )

  test.each([
    ['codeSent', { email: 'ann@example.org' }, 'Code has been sent to ann@example.org'],
    ['passwordChanged', {}, 'Password has been changed'],
    ['profileUpdated', {}, 'Profile has been updated'],
    ['streamSaved', {}, 'Stream settings has been saved'],
    ['constructor', {}, 'Done'],
  ])('of success says what %s means', async (code, values, words) => {
    const { raise, read } = await open()
    await raise(success(code, values))
    expect(read()).toEqual([['status', 'Done', words]])
  })

  test('names whom a reset could not find', async () => {
    const { raise, read } = await open()
    await raise(error('userNotFound', { email: '<b>x</b>{y}@example.org' }))
    expect(read()).toEqual([['alert', 'Error', 'User with email <b>x</b>{y}@example.org has not found']])
  })

  test('can be of words of its own', async () => {
    const { raise, read } = await open()
    await raise(error('ProbeError', { message: 'The camera answered with a page' }))
    expect(read()).toEqual([['alert', 'Error', 'The camera answered with a page ProbeError']])
  })

  test.each([
    ['en', 'Request 0a1b2c3d4e5f'],
    ['ru', 'Запрос 0a1b2c3d4e5f'],
  ])('names the request of an error, by which the log has it: %s', async (language, words) => {
    const { raise, region } = await open(language)
    await raise({ type: 'notification.raised', tone: 'error', code: 'InternalServerError', requestId: '0a1b2c3d4e5f' })
    await raise(error('Forbidden'))
    const second = [...region().querySelectorAll('[role="alert"]')].map(
      (toast) => toast.querySelectorAll('p')[1]?.textContent,
    )
    expect(second).toEqual([words, undefined])
  })

  test('speaks Russian', async () => {
    const { raise, read } = await open('ru')
    await raise(error('AuthorizationFailed'))
    await raise(success('passwordChanged'))
    expect(read().map(([, , message]) => message)).toEqual(['Неверный логин или пароль', 'Пароль изменён'])
  })
})

describe('reading them', () => {
  test('the pointer keeps them, and lets them go when it leaves', async () => {
    const { raise, read, region, pass } = await open()
    await raise(error('Forbidden'))
    fireEvent.pointerEnter(region())
    await pass(60_000)
    expect(read().length).toBe(1)
    fireEvent.pointerLeave(region().parentElement ?? region())
    await pass(9000)
    expect(read()).toEqual([])
  })

  test('the focus keeps them too, also when the pointer leaves', async () => {
    const { raise, read, region, pass, getByRole } = await open()
    await raise(error('Forbidden'))
    act(() => getByRole('button', { name: 'Close notification' }).focus())
    fireEvent.pointerLeave(region().parentElement ?? region())
    await pass(60_000)
    expect(read().length).toBe(1)
    act(() => getByRole('button', { name: 'Close notification' }).blur())
    await pass(9000)
    expect(read()).toEqual([])
  })

  test('one that is closed with the keyboard does not keep those that are shown', async () => {
    const { raise, read, pass, getAllByRole, closeFirst } = await open()
    await raise(error('Forbidden'))
    await raise(error('Unavailable'))
    act(() => getAllByRole('button', { name: 'Close notification' })[0]?.focus())
    await closeFirst()
    expect(read().length).toBe(1)
    await pass(9000)
    expect(read()).toEqual([])
  })

  test('one that is closed with the keyboard does not make the next ones stay', async () => {
    const { raise, read, pass, getByRole, closeFirst } = await open()
    await raise(error('Forbidden'))
    act(() => getByRole('button', { name: 'Close notification' }).focus())
    await closeFirst()
    await raise(error('Unavailable'))
    await pass(9000)
    expect(read()).toEqual([])
  })
})
