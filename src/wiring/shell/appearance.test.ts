import { createActor, createMachine, sendTo, SimulatedClock } from 'xstate'
import { afterEach, expect, test, vi } from 'vitest'
import { configurationOf, settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { inputOf } from '../../../tests/machines/console.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { appMachine } from '../../machines/app/app.machine.ts'
import type { PublishedState } from '../../machines/app/app.events.ts'
import { activate, i18n } from '../../i18n/i18n.ts'
import { notificationsMachine } from '../../machines/notifications/notifications.machine.ts'
import { appearance, languageOf } from './appearance.ts'

vi.mock('../../i18n/i18n.ts', async (importOriginal) => ({ ...(await importOriginal<object>()), activate: vi.fn() }))

afterEach(() => {
  vi.unstubAllGlobals()
})

const { context: fresh } = createActor(appMachine, { input: inputOf('/help') }).getSnapshot()
const russian = settingsOf({ defaultLanguage: 'ru' })

test.each<[string, Partial<PublishedState>, string, string?]>([
  ["the user's", { user: userOf({ language: 'ru' }), language: 'en' }, 'ru'],
  ["the user's, over every default", { user: userOf({ language: 'en' }), settings: russian }, 'en'],
  [
    'what this browser chose, where the user has none',
    { user: userOf({ language: '' }), language: 'en', settings: russian },
    'en',
  ],
  ["the settings' default, where the user has none", { user: userOf({ language: '' }), settings: russian }, 'ru'],
  [
    "the configuration's, where the settings say nothing",
    { user: userOf({ language: '' }), configuration: configurationOf({ defaultLanguage: 'ru' }) },
    'ru',
  ],
  ["the settings' default, signed out", { user: null, settings: russian }, 'ru'],
  ["the browser's, where nobody says", { user: userOf({ language: '' }) }, 'en'],
  [
    "the browser's, where the settings failed",
    { hasSettings: false, language: 'ru', configuration: configurationOf({ defaultLanguage: 'ru' }) },
    'en',
  ],
  ['what was chosen in this visit, where the settings failed', { hasSettings: false, language: 'ru' }, 'ru', 'ru'],
])('the console speaks %s (docs/behaviour.md §2)', (_, known, language, chosenHere = '') => {
  vi.stubGlobal('navigator', { languages: ['en-US'] })
  expect(languageOf({ ...fresh, hasSettings: true, ...known }, chosenHere)).toBe(language)
})

test('a language whose messages can not be loaded is reported, the present one stays, and it is tried again', async () => {
  const root = { lang: '', dataset: {} }
  vi.stubGlobal('document', { documentElement: root })
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }))
  vi.stubGlobal('navigator', { languages: ['en-US'] })
  vi.mocked(activate).mockImplementation(async (language) => {
    if (language === 'ru') throw new Error('offline')
    i18n.loadAndActivate({ locale: language, messages: {} })
  })
  const actor = createActor(
    createMachine({
      invoke: [
        { systemId: 'notifications', src: notificationsMachine },
        { id: 'appearance', src: appearance, input: { ...fresh, hasSettings: true } },
      ],
      on: { 'appearance.changed': { actions: sendTo('appearance', ({ event }) => event) } },
    }),
    { clock: new SimulatedClock() },
  ).start()
  const choose = async (language: string) => {
    actor.send({ type: 'appearance.changed', state: { ...fresh, hasSettings: true, language } })
    await settle()
  }
  const toasts = (): { code: string }[] => actor.system.get('notifications')?.getSnapshot().context.shown
  await choose('en')
  expect([root.lang, toasts()]).toEqual(['en', []])
  await choose('ru')
  expect([root.lang, toasts().map(({ code }) => code)]).toEqual(['en', ['LanguageNotLoaded']])
  await choose('ru')
  expect(vi.mocked(activate).mock.calls).toEqual([['en'], ['ru'], ['ru']])
})
