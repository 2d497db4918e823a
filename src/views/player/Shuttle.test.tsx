// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { first, openArchive } from '../../../tests/machines/player.ts'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import type { ControllerCommand } from '../../machines/player/media.events.ts'
import { playerDrive } from './shuttle-drive.ts'
import { Shuttle } from './Shuttle.tsx'

afterEach(cleanup)

/** The shuttle of an archive that plays at 2×. */
async function open() {
  await activate('en')
  await loadMessages('pages')
  const commands: ControllerCommand[] = []
  const { player, media } = openArchive((command) => commands.push(command))
  media.send({ type: 'engine.loaded', from: first.from, to: first.to })
  media.send({ type: 'engine.played' })
  player.send({ type: 'speed.chosen', rate: 2 })
  const closed: string[] = []
  render(
    <I18nProvider i18n={i18n}>
      <Shuttle drive={playerDrive(player, media)} onClose={() => closed.push('closed')} />
    </I18nProvider>,
  )
  const slider = screen.getByRole('slider', { name: 'Shuttle' })
  commands.length = 0
  return {
    slider,
    closed,
    view: () => player.getSnapshot().value.view,
    press(...keys: string[]) {
      for (const key of keys) fireEvent.keyDown(slider, { key })
      return [slider.getAttribute('aria-valuenow'), slider.getAttribute('aria-valuetext')]
    },
    rates: () => commands.flatMap((command) => (command.type === 'controller.setRate' ? [command.rate] : [])),
    last: () => commands.at(-1),
  }
}

test('keys move it from −16× to 16×', async () => {
  const { slider, press, rates, view } = await open()
  expect(document.activeElement).toBe(slider)
  expect([slider.getAttribute('aria-valuemin'), slider.getAttribute('aria-valuemax')]).toEqual(['-16', '16'])
  expect(press('ArrowLeft')).toEqual(['-1', 'Backwards 1×'])
  expect(press('ArrowLeft', 'ArrowDown')).toEqual(['-4', 'Backwards 4×'])
  expect(view()).toEqual({ archive: { reversing: 'showing' } })
  expect(press('Home', 'ArrowLeft')).toEqual(['-16', 'Backwards 16×'])
  expect(press('End')).toEqual(['16', 'Forwards 16×'])
  expect(rates()).toEqual([-1, -2, -4, -16, 2, 16])
})

test('released, the picture pauses, at the speed before', async () => {
  const { slider, press, view, last, rates } = await open()
  press('End', 'ArrowLeft')
  fireEvent.blur(slider)
  expect([slider.getAttribute('aria-valuetext'), view(), rates().at(-1)]).toEqual([
    'At rest',
    { archive: 'inFragment' },
    2,
  ])
  press('Home', '0')
  expect([view(), last(), rates().at(-1)]).toEqual([{ archive: 'inFragment' }, { type: 'controller.pause' }, 2])
})

test('Escape releases it, then closes it', async () => {
  const { press, closed } = await open()
  expect(press('ArrowRight', 'Escape')).toEqual(['0', 'At rest'])
  expect(closed).toEqual([])
  press('Escape')
  expect(closed).toEqual(['closed'])
})
