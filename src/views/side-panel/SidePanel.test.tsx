// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { activate, i18n } from '../../i18n/i18n.ts'
import { sidePanelMachine } from '../../machines/side-panel/side-panel.machine.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { SidePanel } from './SidePanel.tsx'

const nothing = () => undefined

test('its button and Escape close it and return the focus to the button that opens it', async () => {
  await activate('en')
  const actor = createActor(sidePanelMachine.provide({ actions: { notifyParent: nothing } }), {
    input: { isOpen: true, isFixed: false, width: 1280, height: 800 },
    clock: new SimulatedClock(),
  }).start()
  render(
    <I18nProvider i18n={i18n}>
      <button type="button" aria-controls="filters">
        Filters
      </button>
      <SidePanel actor={actor} id="filters" title="Filters">
        content
      </SidePanel>
    </I18nProvider>,
  )
  const close = screen.getByLabelText('Close')
  close.focus()
  fireEvent.click(close)
  const opener = screen.getByText('Filters', { selector: 'button' })
  expect([actor.getSnapshot().value.panel, document.activeElement]).toEqual(['closing', opener])
  actor.send({ type: 'panel.toggled' })
  close.focus()
  fireEvent.keyDown(close, { key: 'Escape' })
  expect([actor.getSnapshot().value.panel, document.activeElement]).toEqual(['closing', opener])
})

test('over the page it closes on a press on any button outside, also while it opens', async () => {
  await activate('en')
  const actor = createActor(sidePanelMachine.provide({ actions: { notifyParent: nothing } }), {
    input: { isOpen: false, isFixed: false, width: 500, height: 800 },
    clock: new SimulatedClock(),
  }).start()
  render(
    <I18nProvider i18n={i18n}>
      <IconButton label="Menu" icon={null} onPress={nothing} />
      <SidePanel actor={actor} id="filters" title="Filters">
        content
      </SidePanel>
    </I18nProvider>,
  )
  act(() => actor.send({ type: 'panel.toggled' }))
  const opening = actor.getSnapshot().value.panel
  fireEvent.pointerDown(screen.getByLabelText('Menu'))
  expect([opening, actor.getSnapshot().value.panel]).toEqual(['opening', 'closing'])
})
