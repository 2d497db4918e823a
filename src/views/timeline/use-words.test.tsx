// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { setupI18n } from '@lingui/core'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { useWords } from './use-words.ts'

const i18n = setupI18n({ locale: 'en-GB', messages: { 'en-GB': {} } })
const wrapper = ({ children }: { children: ReactNode }) => <I18nProvider i18n={i18n}>{children}</I18nProvider>

test('a moment of another day than now, on the clock of its zone, says its date', () => {
  const { momentText } = renderHook(() => useWords('Asia/Kathmandu'), { wrapper }).result.current
  const now = Date.parse('2026-11-22T18:30:00Z')
  expect(['2026-11-22T18:16:00Z', '2026-11-22T18:14:00Z'].map((at) => momentText(Date.parse(at), now))).toEqual([
    '00:01:00',
    '23:59:00, Sun 22 Nov',
  ])
})
