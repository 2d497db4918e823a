// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { wrapper } from '../../../tests/views/wrapper.tsx'
import { activate, loadMessages } from '../../i18n/i18n.ts'
import { useLastFrameText } from './last-frame-text.ts'
import { useLossReason } from './loss-words.ts'

beforeEach(async () => {
  await activate('en')
  await loadMessages('pages')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test.each([
  ['live', 'network', 'The source has no video.'],
  ['archive', 'network', 'Server is not responding.'],
  ['archive', 'server', 'Internal server error.'],
  ['archive', 'missing', 'There are no recordings in this period.'],
  ['archive', 'empty', 'There are no recordings in this period.'],
] as const)('with a failed camera, the %s reports for the failure “%s”: %s', (mode, failure, text) => {
  const stream = { status: 'failed', failureReason: 'The source has no video' } as const
  const { result } = renderHook(useLossReason, { wrapper })
  expect(result.current({ mode, stream, failure })).toBe(text)
})

test('the text of a last frame has its date unless that is today', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 14, 5, 3), toFake: ['Date'] })
  const textOf = (at: number | null) => renderHook(() => useLastFrameText(at, 'UTC'), { wrapper }).result.current
  expect([null, Date.UTC(2026, 10, 21, 9), Date.UTC(2026, 10, 19, 9)].map(textOf)).toEqual([
    '',
    'The last frame is from 09:00:00.',
    'The last frame is from 09:00:00, Thu, Nov 19.',
  ])
})
