// @vitest-environment jsdom
import { act, fireEvent } from '@testing-library/react'
import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import type { Reply } from '../../src/api/reply.ts'
import { noAnswer, ok, refused, settingsOf, userOf } from '../fixtures/replies.ts'
import { unauthorized } from '../machines/console.ts'
import { openScreen } from './screen.tsx'
import { signInMachine } from '../../src/machines/session/sign-in.machine.ts'
import { SignInPage } from '../../src/views/sign-in/SignInPage.tsx'
import { definePage } from '../../src/wiring/page.ts'
import { settle } from '../machines/settle.ts'

type Answer = Reply<{ mustChangePassword: boolean }>

async function open(answer: () => Answer, settings: object = { passwordResetAllowed: true }, language = 'en') {
  const sent: unknown[] = []
  const logic = signInMachine.provide({
    actors: {
      signIn: fromPromise(async ({ input }) => {
        sent.push(input)
        return answer()
      }),
    },
  })
  const screen = await openScreen('/auth', {
    world: {
      user: unauthorized,
      settings: () => ok(settingsOf(settings)),
      page: (name) => (name === 'auth' ? logic : null),
    },
    view: (name) => (name === 'auth' ? definePage({ logic, View: SignInPage }).View : undefined),
    language,
  })
  const type = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } })
  const valueOf = (label: string) => {
    const field = screen.getByLabelText(label, { selector: 'input' })
    return field instanceof HTMLInputElement ? field.value : undefined
  }
  const submit = () =>
    act(async () => {
      fireEvent.click(screen.getByRole('button', { name: language === 'ru' ? 'Войти' : 'Sign in' }))
      await settle()
    })
  return { ...screen, sent, type, valueOf, submit }
}

test('one signs in by name and password, and goes on', async () => {
  const { type, submit, sent, answers, where } = await open(() => ok({ mustChangePassword: false }))
  answers.user = () => ok(userOf())
  type('Login', 'ann')
  type('Password', 'secret')
  await submit()
  expect({ sent, where: where() }).toEqual({ sent: [{ name: 'ann', password: 'secret' }], where: '/streams' })
})

test('a wrong password keeps what was typed and moves the focus to it', async () => {
  const { type, submit, valueOf, toasts } = await open(() => refused(401, 'AuthorizationFailed'))
  type('Login', 'ann')
  type('Password', 'wrong')
  await submit()
  expect({ login: valueOf('Login'), focused: document.activeElement?.getAttribute('name'), toasts: toasts() }).toEqual({
    login: 'ann',
    focused: 'password',
    toasts: ['AuthorizationFailed'],
  })
})

test('what the server says of a field is beside it, and goes once the field is edited', async () => {
  const { type, submit, toasts, getByLabelText } = await open(() => ({
    ok: false,
    apiError: { ...noAnswer, status: 400, code: 'ValidationError', details: { name: 'At most 64 characters' } },
  }))
  const describedBy = () => {
    const login = getByLabelText('Login', { selector: 'input' })
    const ids = (login.getAttribute('aria-describedby') ?? '').split(' ')
    return [
      login.getAttribute('aria-invalid'),
      ids.map((id) => document.getElementById(id)?.textContent ?? '').join(''),
    ]
  }
  type('Login', 'ann')
  type('Password', 'secret')
  await submit()
  expect(describedBy()).toEqual(['true', 'At most 64 characters'])
  expect([document.activeElement?.getAttribute('name'), toasts()]).toEqual(['login', []])
  type('Login', 'anna')
  expect(describedBy()).not.toContain('At most 64 characters')
  expect(document.activeElement?.getAttribute('name')).toBe('login')
})

test('the error of a wrong password goes with the next sign-in that succeeds', async () => {
  const replies = [refused(401, 'AuthorizationFailed'), ok({ mustChangePassword: false })]
  const { type, submit, answers, toasts, where } = await open(() => replies.shift() ?? refused(500, ''))
  answers.user = () => ok(userOf())
  type('Login', 'ann')
  type('Password', 'wrong')
  await submit()
  expect(toasts()).toEqual(['AuthorizationFailed'])
  type('Password', 'secret')
  await submit()
  expect({ toasts: toasts(), where: where() }).toEqual({ toasts: [], where: '/streams' })
})

test('a second factor is asked for in a second step, which says beside the field what is wrong', async () => {
  const replies = [
    refused(401, 'SecondFactorRequired'),
    refused(401, 'AuthorizationFailed'),
    ok({ mustChangePassword: false }),
  ]
  const { type, submit, sent, toasts, getByLabelText, queryByLabelText, answers, where } = await open(
    () => replies.shift() ?? ok({ mustChangePassword: false }),
  )
  type('Login', 'ann')
  type('Password', 'secret')
  await submit()
  const field = getByLabelText('Code')
  expect({
    focused: document.activeElement,
    complete: field.getAttribute('autocomplete'),
    keyboard: field.getAttribute('inputmode'),
    password: queryByLabelText('Password', { selector: 'input' }),
    toasts: toasts(),
  }).toEqual({ focused: field, complete: 'one-time-code', keyboard: 'numeric', password: null, toasts: [] })
  await submit()
  expect([field.getAttribute('aria-invalid'), sent.length]).toEqual(['true', 1])
  type('Code', '000000')
  expect(field.getAttribute('aria-invalid')).toBeNull()
  await submit()
  const described = field.getAttribute('aria-describedby')?.split(' ') ?? []
  expect(described.map((id) => document.getElementById(id)?.textContent)).toContain('Wrong code, or already used')
  expect(toasts()).toEqual([])
  answers.user = () => ok(userOf())
  type('Code', '123456')
  await submit()
  const typed = { name: 'ann', password: 'secret' }
  expect({ sent, where: where() }).toEqual({
    sent: [typed, { ...typed, code: '000000' }, { ...typed, code: '123456' }],
    where: '/streams',
  })
})

test('from the second step one goes back to the password, and finds what was typed', async () => {
  const { type, submit, valueOf, getByRole } = await open(() => refused(401, 'SecondFactorRequired'))
  type('Login', 'ann')
  type('Password', 'secret')
  await submit()
  type('Code', '000000')
  fireEvent.click(getByRole('button', { name: 'Back' }))
  expect({
    values: [valueOf('Login'), valueOf('Password')],
    focused: document.activeElement?.getAttribute('name'),
  }).toEqual({ values: ['ann', 'secret'], focused: 'password' })
})

test('what is missing is shown beside its field', async () => {
  const { submit, sent, getByLabelText } = await open(() => ok({ mustChangePassword: false }))
  await submit()
  const fields = ['Login', 'Password'].map((label) =>
    getByLabelText(label, { selector: 'input' }).getAttribute('aria-invalid'),
  )
  expect({ sent, fields }).toEqual({ sent: [], fields: ['true', 'true'] })
})

test('a password can be recovered only where the server allows it', async () => {
  for (const [passwordResetAllowed, count] of [
    [true, 1],
    [false, 0],
  ] as const) {
    const { queryAllByRole } = await open(() => ok({ mustChangePassword: false }), { passwordResetAllowed })
    expect(queryAllByRole('link', { name: 'Forgot password?' }).map((link) => link.getAttribute('href'))).toEqual(
      Array.from({ length: count }, () => '/ui/recover-password'),
    )
  }
})

test('the kiosk login is filled in', async () => {
  const { valueOf } = await open(() => ok({ mustChangePassword: false }), {
    kioskPrefillUser: 'wall',
    kioskPrefillPassword: 'screen',
  })
  expect([valueOf('Login'), valueOf('Password')]).toEqual(['wall', 'screen'])
})

test('it speaks Russian', async () => {
  const { getByRole } = await open(() => ok({ mustChangePassword: false }), {}, 'ru')
  expect(getByRole('button', { name: 'Войти' })).toBeDefined()
})
