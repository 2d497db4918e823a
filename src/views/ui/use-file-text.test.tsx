// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { wrapper } from '../../../tests/views/wrapper.tsx'
import { activate } from '../../i18n/i18n.ts'
import { useFileText } from './use-file-text.ts'

afterEach(cleanup)

const fileOf = (text: () => Promise<string>) => Object.assign(new File([], 'list.csv'), { text })

test('a file that cannot be read is an error until the field has another value', async () => {
  await activate('en')
  const texts: string[] = []
  const { result, rerender } = renderHook(({ value }) => useFileText(value, (text) => texts.push(text)), {
    wrapper,
    initialProps: { value: 'typed' },
  })
  await act(async () => result.current.read(fileOf(async () => 'from the file')))
  expect([texts, result.current.error]).toEqual([['from the file'], undefined])

  await act(async () => result.current.read(fileOf(() => Promise.reject(new Error('gone')))))
  expect([texts, result.current.error]).toEqual([['from the file'], 'The file could not be read.'])
  rerender({ value: 'typed more' })
  expect(result.current.error).toBe(undefined)
})
