// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { first, openArchive } from '../../../tests/machines/player.ts'
import { playerKeyHandler } from './player-keys.ts'

test('a key that is held presses once, unless it moves the playhead', () => {
  const { player, media } = openArchive()
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
