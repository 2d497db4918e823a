// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { chooseMomentTypes, useMomentTypes } from '../../views/timeline/moment-types.ts'
import { restoreMomentTypes } from './moment-types.ts'

const key = 'player-moment-types'

beforeEach(() => localStorage.clear())

test('the types that the list shows are restored, and stored when they change', () => {
  localStorage.setItem(key, '["line",7]')
  restoreMomentTypes()
  expect(renderHook(() => useMomentTypes()).result.current).toEqual(new Set(['line']))
  chooseMomentTypes(new Set(['line', 'smoke']))
  expect(localStorage.getItem(key)).toBe('["line","smoke"]')
  chooseMomentTypes(new Set())
  expect(localStorage.getItem(key)).toBeNull()
})
