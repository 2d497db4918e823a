// @vitest-environment jsdom
import { act, render } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { input, nothing } from '../../../tests/machines/player.ts'
import { playerMachine } from '../../machines/player/player.machine.ts'
import { PlayerDialogs } from './PlayerDialogs.tsx'

const load = vi.hoisted(() => vi.fn(() => Promise.reject(new Error('offline'))))

vi.mock('./panels.ts', () => ({ panels: { loaded: null, load } }))
vi.mock('../app/use-preload.ts', () => ({ usePreload: () => undefined }))

test('a player without an open dialog plays on if their code cannot be loaded', async () => {
  const player = createActor(
    playerMachine.provide({ actions: { notifyPlaying: nothing, notifyIdle: nothing, writeAddress: nothing } }),
    { input, clock: new SimulatedClock() },
  ).start()
  const { timeline } = player.getSnapshot().children
  if (timeline === undefined) throw new Error('the player has no timeline')
  render(<PlayerDialogs player={player} timeline={timeline} locks={null} onPick={nothing} onPeriod={nothing} />)
  await act(async () => undefined)
  expect(load).not.toHaveBeenCalled()
  vi.spyOn(console, 'error').mockImplementation(nothing)
  await expect(act(async () => player.send({ type: 'panel.opened', panel: 'calendar', at: null }))).rejects.toThrow(
    'offline',
  )
  player.stop()
})
