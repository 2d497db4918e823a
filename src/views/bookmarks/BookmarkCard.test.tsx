// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { i18n } from '../../i18n/i18n.ts'
import { BookmarkCard } from './BookmarkCard.tsx'

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))
afterEach(cleanup)

const show = (isGone: boolean) =>
  render(
    <I18nProvider i18n={i18n}>
      <BookmarkCard
        bookmark={{ id: 'b1', streamId: 'gate', time: Date.UTC(2026, 10, 21, 14, 5, 3), note: 'the van' }}
        name="Gate"
        zone="UTC"
        isGone={isGone}
        previews={undefined}
        onEdit={() => undefined}
        onDelete={() => undefined}
      />
    </I18nProvider>,
  )

test('a link selects the recording around the bookmark', () => {
  const { getByRole } = show(false)
  expect(getByRole('link', { name: 'Select the recording: Gate' }).getAttribute('href')).toBe(
    '/stream/gate/view?at=2026-11-21T14:05:03.000Z&in=2026-11-21T14:04:48.000Z&out=2026-11-21T14:05:18.000Z',
  )
})

test('nothing of a deleted stream can be opened', () => {
  expect(show(true).queryAllByRole('link')).toEqual([])
})
