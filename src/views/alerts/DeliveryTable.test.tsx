// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { DeliveryTable } from './DeliveryTable.tsx'

beforeEach(async () => {
  await activate('en')
  await loadMessages('pages')
})
afterEach(cleanup)

const open = (page: number, total: number) => {
  const requested: number[] = []
  const { container, queryByRole } = render(
    <I18nProvider i18n={i18n}>
      <DeliveryTable
        label="Deliveries"
        page={{ items: [], page, pageSize: 50, total }}
        columns={[]}
        onPage={(number) => requested.push(number)}
      />
    </I18nProvider>,
  )
  return { requested, container, newer: queryByRole('button', { name: 'Newer' }) }
}

test('a page that is beyond the last, as messages were deleted, leads to the last', () => {
  const { requested, container, newer } = open(4, 60)
  expect(container.textContent).not.toContain('Nothing has been sent yet.')
  if (newer !== null) fireEvent.click(newer)
  expect(requested).toEqual([2])
})

test('without messages it says so', () => {
  const { container, newer } = open(1, 0)
  expect([container.textContent, newer]).toEqual(['Nothing has been sent yet.', null])
})
