// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { createActor, fromCallback, SimulatedClock } from 'xstate'
import { first, input, nothing, picked, timeline } from '../../../tests/machines/player.ts'
import type { ControllerCommand } from '../../machines/player/media.events.ts'
import { mediaMachine } from '../../machines/player/media.machine.ts'
import { playerMachine } from '../../machines/player/player.machine.ts'
import { playerKeyHandler } from './player-keys.ts'

test('a key that is held presses once, unless it moves the playhead', () => {
  const controller = fromCallback<ControllerCommand>(() => undefined)
  const player = createActor(
    playerMachine.provide({
      actors: { media: mediaMachine.provide({ actors: { controller } }), timeline },
      actions: { notifyPlaying: nothing, notifyIdle: nothing, writeAddress: nothing },
    }),
    { input, clock: new SimulatedClock() },
  ).start()
  const { media } = player.getSnapshot().children
  if (media === undefined) throw new Error('the player has no media')
  player.send(picked(first.from, first, null))
  const sent: string[] = []
  const handle = playerKeyHandler({
    player: Object.assign(Object.create(player), { send: ({ type }: { type: string }) => sent.push(type) }),
    media,
    clock: () => first.from + 60_000,
  })
  const press = (key: string, repeat = false) => {
    const event = new KeyboardEvent('keydown', { key, repeat, cancelable: true })
    handle(event)
    return event.defaultPrevented
  }
  expect([press('k'), press('k', true), press('s'), press('s', true), press('ArrowRight', true)]).toEqual(
    Array.from({ length: 5 }, () => true),
  )
  expect(sent).toEqual([expect.stringMatching(/^(play|pause)\.requested$/), 'snapshot.requested', 'moment.requested'])
})
