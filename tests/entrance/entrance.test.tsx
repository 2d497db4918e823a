// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { fromPromise } from 'xstate'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activate } from '../../src/i18n/i18n.ts'
import type { Settings } from '../../src/api/contract/settings.ts'
import { signInMachine } from '../../src/machines/session/sign-in.machine.ts'
import { ConsoleRoot } from '../../src/views/app/ConsoleRoot.tsx'
import { SignInPage } from '../../src/views/sign-in/SignInPage.tsx'
import { renderEntrance } from '../../src/wiring/entrance/render.tsx'
import { takeOver } from '../../src/wiring/entrance/take-over.ts'
import { definePage } from '../../src/wiring/page.ts'
import { ok, settingsOf, userOf } from '../fixtures/replies.ts'
import { startConsole, unauthorized } from '../machines/console.ts'
import { settle } from '../machines/settle.ts'

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  vi.stubGlobal('requestAnimationFrame', () => 0)
  await import('../../src/wiring/entrance/early.ts')
})
beforeEach(() => void vi.spyOn(globalThis.console, 'error'))
afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
})

const complaints = () => vi.mocked(globalThis.console.error).mock.calls

/** The document as the server sends it to a visitor without a session, and the console that takes it over. */
async function openEarly({ isSignedIn = false, ...settings }: Partial<Settings> & { isSignedIn?: boolean } = {}) {
  globalThis.history.replaceState(null, '', '/ui/auth')
  const offered = { title: 'Sightline', hasPasskeys: false, canReset: true }
  const pages = { en: '', ru: '' }
  for (const language of ['ru', 'en'] as const) pages[language] = await renderEntrance({ language, ...offered })
  const templates = [`<template lang="en">${pages.en}</template>`, `<template lang="ru">${pages.ru}</template>`]
  document.body.innerHTML = `${templates.join('')}<div id="root"></div>`
  document.dispatchEvent(new Event('DOMContentLoaded'))
  const root = document.querySelector<HTMLElement>('#root')
  if (root === null) throw new Error('no root')
  const fieldOf = (name: string) => {
    const field = root.querySelector(`[name="${name}"]`)
    if (!(field instanceof HTMLInputElement)) throw new Error(`no ${name}`)
    return field
  }
  const sent: unknown[] = []
  const logic = signInMachine.provide({
    actors: {
      signIn: fromPromise(async ({ input }) => {
        sent.push(input)
        return ok({ mustChangePassword: false })
      }),
    },
  })
  const view = definePage({ logic, View: SignInPage }).View
  const start = async () => {
    const console = startConsole('/auth', {
      user: isSignedIn ? () => ok(userOf()) : unauthorized,
      settings: () => ok(settingsOf({ passwordResetAllowed: true, ...settings })),
      page: (name) => (name === 'auth' ? logic : null),
    })
    const value = {
      app: console.actor,
      consolePath: '/ui',
      viewOf: (name: string) => (name === 'auth' ? view : undefined),
      extras: () => new Promise<never>(() => undefined),
      copyText: async () => true,
      saveText: () => undefined,
      whenIdle: () => undefined,
    }
    await act(async () => {
      takeOver(root, console.actor, <ConsoleRoot value={value} />)
      await settle()
    })
    await act(settle)
    return console
  }
  return { root, fieldOf, sent, start }
}

test('the page is there before the console, in the language and the theme of this browser', async () => {
  localStorage.setItem('language', '"ru"')
  const { root } = await openEarly()
  expect({
    heading: root.querySelector('h1')?.textContent,
    lang: document.documentElement.lang,
    theme: document.documentElement.dataset['theme'],
    focused: document.activeElement?.getAttribute('name'),
    left: document.querySelectorAll('template').length,
  }).toEqual({ heading: 'Войти', lang: 'ru', theme: 'light', focused: 'login', left: 0 })
})

test('the console adopts it with what was typed, the focus and the caret, and sends a submit once', async () => {
  const { root, fieldOf, sent, start } = await openEarly()
  const [login, password] = [fieldOf('login'), fieldOf('password')]
  login.value = 'ann'
  password.value = 'secret word'
  password.focus()
  password.setSelectionRange(2, 5)
  root.querySelector('form')?.requestSubmit()
  root.querySelector('form')?.requestSubmit()
  expect(sent).toEqual([])
  await start()
  expect([fieldOf('login') === login, fieldOf('password') === password]).toEqual([true, true])
  expect([document.activeElement === password, password.selectionStart, password.selectionEnd]).toEqual([true, 2, 5])
  expect(sent).toEqual([{ name: 'ann', password: 'secret word' }])
  expect(complaints()).toEqual([])
})

test('a button that was pressed before is pressed then', async () => {
  const { root, fieldOf, start } = await openEarly()
  const eye = root.querySelector<HTMLElement>('[aria-pressed][aria-label]')
  eye?.click()
  expect(fieldOf('password').type).toBe('password')
  await start()
  expect([fieldOf('password').type, eye?.isConnected]).toEqual(['text', true])
  expect(complaints()).toEqual([])
})

test('where the console speaks another language, the page is rendered anew, with the same input', async () => {
  const { fieldOf, sent, root, start } = await openEarly()
  const login = fieldOf('login')
  login.value = 'ann'
  login.focus()
  login.setSelectionRange(1, 1)
  fieldOf('password').value = 'secret word'
  root.querySelector('form')?.requestSubmit()
  document.documentElement.lang = 'ru'
  await activate('ru')
  await start()
  const anew = fieldOf('login')
  expect([anew === login, anew.value, document.activeElement === anew, anew.selectionStart]).toEqual([
    false,
    'ann',
    true,
    1,
  ])
  expect(root.querySelector('h1')?.textContent).toBe('Войти')
  expect(sent).toEqual([{ name: 'ann', password: 'secret word' }])
  await activate('en')
})

test('messages that do not come are not waited for beyond a bound', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { root, fieldOf, start } = await openEarly()
  const login = fieldOf('login')
  login.value = 'ann'
  document.documentElement.lang = 'ru'
  await start()
  expect(fieldOf('login')).toBe(login)
  await act(async () => void vi.advanceTimersByTime(10_000))
  vi.useRealTimers()
  expect([root.querySelector('h1')?.textContent, fieldOf('login').value]).toEqual(['Sign in', 'ann'])
})

test('another page takes its place', async () => {
  const { root, start } = await openEarly({ isSignedIn: true })
  await start()
  expect(root.querySelector('form')).toBeNull()
})
