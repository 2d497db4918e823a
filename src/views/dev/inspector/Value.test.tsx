// @vitest-environment jsdom
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { masked } from '../record/plain.ts'
import { brief, EventFields } from './Value.tsx'

test('the fields of an event about a secret are masked', () => {
  const event = { type: 'secret.copied', text: 'tok-1', texts: ['tok-2'], times: 2 }
  const { container } = render(<EventFields event={event} />)
  expect(container.textContent).toContain('secret.copied')
  expect(container.textContent).toContain(`text "${masked}"`)
  expect(container.textContent).not.toContain('tok-')
})

test.each([
  ['a "quoted" key', 1, '1'],
  ['password', 'x', `"${masked}"`],
  ['none', undefined, ''],
  ['list', [1, 2], '[2]'],
  ['few', { a: 1, b: 2 }, '{a, b}'],
  ['many', { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 }, '{a, b, c, d, e, f, …}'],
])('%s: %j is shortened to %s', (key, value, text) => {
  expect(brief(key, value)).toBe(text)
})
