// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { EventFilter } from '../../api/resources/events.ts'
import { i18n } from '../../i18n/i18n.ts'
import { noFilter } from '../../machines/events/event-filter.ts'
import { noCameras } from '../../machines/streams/cameras.machine.ts'
import { labelWord } from '../timeline/type-words.ts'
import { EventFilters } from './EventFilters.tsx'

afterEach(cleanup)

test('From and To are shown and read in the time zone of the page; what is not edited keeps its seconds', () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  const onFilter = vi.fn<(change: Partial<EventFilter>) => void>()
  const { getByLabelText, getByRole, getByText } = render(
    <I18nProvider i18n={i18n}>
      <EventFilters
        query={{ ...noFilter, from: Date.UTC(2026, 10, 21, 23, 30, 40) }}
        zone="Asia/Tokyo"
        cameras={noCameras}
        found={[]}
        onFilter={onFilter}
      />
    </I18nProvider>,
  )
  expect(getByLabelText('From')).toHaveProperty('value', '2026-11-22T08:30')
  getByText('Times in Asia/Tokyo')
  fireEvent.change(getByLabelText('To'), { target: { value: '2026-11-22T09:00' } })
  fireEvent.submit(getByRole('search', { name: 'Filter events' }))
  expect(onFilter).toHaveBeenCalledExactlyOnceWith({
    label: '',
    from: Date.UTC(2026, 10, 21, 23, 30, 40),
    to: Date.UTC(2026, 10, 22, 0, 0),
  })
})

test("the label of a camera's own event is shown, suggested and typed by its name in the user's language", () => {
  i18n.loadAndActivate({ locale: 'ru', messages: { [labelWord('motion')?.id ?? '']: 'движение' } })
  const onFilter = vi.fn<(change: Partial<EventFilter>) => void>()
  const show = (label: string) => (
    <I18nProvider i18n={i18n}>
      <EventFilters
        query={{ ...noFilter, label }}
        zone="UTC"
        cameras={noCameras}
        found={['motion', 'van'].map((label) => ({ streamId: 'gate', time: 0, type: 'event', label }))}
        onFilter={onFilter}
      />
    </I18nProvider>
  )
  const { container, getByLabelText, getByRole, rerender } = render(show('motion'))
  expect(getByLabelText('Label')).toHaveProperty('value', 'движение')
  // Labels are exact, and phones write a capital by themselves.
  expect(getByLabelText('Label').getAttribute('autocapitalize')).toBe('none')
  expect([...container.querySelectorAll('option')].map((one) => one.textContent)).toEqual(
    expect.arrayContaining(['van', 'движение']),
  )
  rerender(show('van'))
  fireEvent.change(getByLabelText('Label'), { target: { value: 'Движение ' } })
  fireEvent.submit(getByRole('search', { name: 'Filter events' }))
  expect(onFilter).toHaveBeenCalledExactlyOnceWith({ label: 'motion', from: null, to: null })
})
