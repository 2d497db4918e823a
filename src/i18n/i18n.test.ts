import { expect, test, vi } from 'vitest'
import { activate, i18n, loadMessages } from './i18n.ts'

vi.mock('./locales/ru.po?shell', () => {
  throw new Error('offline')
})

test('after a language that can not be loaded, later messages are those of the language that stays', async () => {
  await activate('en')
  await loadMessages('shell')
  await expect(activate('ru')).rejects.toThrow()
  await loadMessages('video')
  expect(i18n.locale).toBe('en')
})
