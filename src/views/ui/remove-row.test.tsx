// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { i18n } from '../../i18n/i18n.ts'
import { QuietHours } from '../alerts/QuietHours.tsx'
import { weekdays } from '../alerts/weekdays.ts'
import { TagField } from '../stream-pages/TagField.tsx'
import { CameraChips, CameraSelect } from './Cameras.tsx'

beforeEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))
afterEach(cleanup)

const show = (view: ReactNode) => render(<I18nProvider i18n={i18n}>{view}</I18nProvider>)

/** Presses buttons with the keyboard; which element has the focus after each. */
function press(...names: string[]): string[] {
  return names.map((name) => {
    const button = screen.getByRole('button', { name })
    button.focus()
    fireEvent.click(button)
    const { activeElement } = document
    return activeElement?.ariaLabel ?? (activeElement?.textContent || activeElement?.tagName) ?? ''
  })
}

test('a removed tag leaves the focus to the next one, the previous one, the field', () => {
  function Tags() {
    const [tags, setTags] = useState<readonly string[]>(['one', 'two', 'three'])
    return <TagField label="Tags" tags={tags} error={undefined} onChange={setTags} />
  }
  show(<Tags />)
  expect(press('Remove tag two', 'Remove tag three', 'Remove tag one')).toEqual([
    'Remove tag three',
    'Remove tag one',
    'INPUT',
  ])
})

test('a removed camera leaves the focus to the next one, or to the list of cameras', () => {
  const cameras = { items: [], total: 0 }
  function Cameras() {
    const [selected, setSelected] = useState<readonly string[]>(['gate', 'yard'])
    const choice = { selected, cameras, onChange: setSelected }
    return (
      <form>
        <CameraSelect label="Camera" {...choice} />
        {selected.length > 0 && <CameraChips label="Cameras" {...choice} />}
      </form>
    )
  }
  show(<Cameras />)
  expect(press('Remove gate', 'Remove yard')).toEqual(['Remove yard', 'All cameras'])
})

function showQuietHours(count: number) {
  const period = { days: [...weekdays], from: '22:00', to: '06:00' }
  function Hours() {
    const [hours, setHours] = useState<ComponentProps<typeof QuietHours>['hours']>({
      timezone: 'UTC',
      summary: false,
      periods: Array.from({ length: count }, () => period),
    })
    return <QuietHours hours={hours} errorOf={() => undefined} onChange={setHours} />
  }
  show(<Hours />)
}

test('removed quiet hours leave the focus to those before, or to the button that adds some', () => {
  showQuietHours(3)
  expect(press('Remove quiet hours 3', 'Remove quiet hours 1', 'Remove quiet hours 1')).toEqual([
    'Remove quiet hours 2',
    'Remove quiet hours 1',
    'Add quiet hours',
  ])
})

test('so does one of as many as there may be', () => {
  showQuietHours(7)
  expect(press('Remove quiet hours 1')).toEqual(['Remove quiet hours 1'])
})

test('without the focus on the button, it stays where it is', () => {
  function Tags() {
    const [tags, setTags] = useState<readonly string[]>(['one', 'two'])
    return <TagField label="Tags" tags={tags} error={undefined} onChange={setTags} />
  }
  show(<Tags />)
  fireEvent.click(screen.getByRole('button', { name: 'Remove tag one' }))
  expect(document.activeElement).toBe(document.body)
})
