// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createActor } from 'xstate'
import { streamOf } from '../../../tests/fixtures/replies.ts'
import { wrapper } from '../../../tests/views/wrapper.tsx'
import { i18n } from '../../i18n/i18n.ts'
import { mediaMachine } from '../../machines/player/media.machine.ts'
import { useTileWords } from './use-tile-words.ts'

beforeEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))
afterEach(cleanup)

test.each([
  ['paused', 'The stream is paused', ''],
  ['running', 'The stream is unavailable', 'Its server is not responding.'],
  ['disabled', 'disabled', ''],
  ['', 'The stream is unavailable', 'Its server is not responding.'],
])('a tile that does not play a stream with the status “%s” reads “%s”', (status, title, reason) => {
  const tile = createActor(mediaMachine, { input: { sound: { volume: 1, isMuted: false }, rate: 1 } }).start()
  const stream = streamOf({ status })
  const given = { tile, stream, look: 'off', state: 'live', zone: 'UTC', shownAt: () => null } as const
  const { result } = renderHook(() => useTileWords(given), { wrapper })
  expect(result.current).toEqual({ title, reason, since: '' })
  tile.stop()
})
