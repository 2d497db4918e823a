// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { createActor } from 'xstate'
import { pageInput } from '../../../tests/machines/page.ts'
import { activate, i18n, loadMessages } from '../../i18n/i18n.ts'
import { planEditMachine } from '../../machines/plans/plan-edit.machine.ts'
import { CameraList } from './EditPanels.tsx'

afterEach(cleanup)

const plan = { id: 'p1', title: 'Ground floor', width: 0, height: 0, picture: '', cameras: [] }
const streams = Array.from({ length: 1200 }, (_stream, index) => ({ uid: `c${index}`, name: '' }))

test('a list of more cameras than are shown says how many there are', async () => {
  await activate('en')
  await loadMessages('pages')
  const { getByText } = render(
    <I18nProvider i18n={i18n}>
      <CameraList
        actor={createActor(planEditMachine, { input: pageInput({ params: { id: 'p1' } }) })}
        known={{ plan, picture: null, streams }}
        cameras={[]}
        chosen={null}
        error={undefined}
        onAdd={() => undefined}
      />
    </I18nProvider>,
  )
  expect(getByText(/^Showing/).textContent).toBe('Showing 100 of 1,200. Search to find the others.')
})
