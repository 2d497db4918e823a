import { createActor } from 'xstate'
import { afterEach, expect, test, vi } from 'vitest'
import { configurationOf, settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { inputOf } from '../../../tests/machines/console.ts'
import { appMachine } from '../../machines/app/app.machine.ts'
import type { PublishedState } from '../../machines/app/app.events.ts'
import { languageOf } from './appearance.ts'

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
