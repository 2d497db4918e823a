import { expect, test, vi } from 'vitest'
import { activate, i18n, loadMessages } from './i18n.ts'

vi.mock('./locales/ru.po?shell', () => {
  throw new Error('offline')
})

test('after a language that can not be loaded, later messages are those of the language that stays', async () => {
  await activate('en')
  await loadMessages('shell')
  const failure = await activate('ru').catch((error: unknown) => error)
  await loadMessages('video')
  expect([failure instanceof Error, i18n.locale]).toEqual([true, 'en'])
})
