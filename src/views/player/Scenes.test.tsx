// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { createActor, fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { ok, settingsOf, streamOf, userOf } from '../../../tests/fixtures/replies.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { openScreen } from '../../../tests/views/screen.tsx'
import { liveAddress } from '../../machines/player/address.ts'
import { playerMachine } from '../../machines/player/player.machine.ts'
import { selectMedia } from '../../machines/player/player.selectors.ts'
import { streamMachine } from '../../machines/stream/stream.machine.ts'
import { Scenes } from './Scenes.tsx'

test.each([
  [false, false, 0],
  [true, false, 1],
  [false, true, 1],
])('a paused stream offers Resume to who may change it (%s), and to administrators (%s)', async (...row) => {
  const [canAdmin, isAdmin, buttons] = row
  const paused = streamOf({ status: 'paused', meta: { canAdmin } })
  const stream = createActor(
    streamMachine.provide({
      actors: { fetchStream: fromPromise(async () => ok(paused)) },
      actions: { notifyChanged: () => undefined },
    }),
    { input: { uid: 'gate' } },
  ).start()
  const player = createActor(playerMachine, {
    input: {
      uid: 'gate',
      limits: settingsOf(),
      address: liveAddress,
      stream: paused,
      bookmarkLocation: null,
      now: 0,
      zones: { browser: 'UTC', server: null },
      zoneChoice: 'browser',
      sound: { volume: 1, isMuted: false },
    },
  }).start()
  await settle()
  const media = selectMedia(player.getSnapshot())
  if (media === undefined) throw new Error('the player has no media')
  const view = () => () => <Scenes player={player} media={media} stream={stream} preview={async () => null} />
  const { queryAllByRole } = await openScreen('/streams', {
    view,
    world: { user: async () => ok(userOf({ isAdmin })) },
  })
  await act(settle)
  expect(queryAllByRole('button', { name: 'Resume the stream' })).toHaveLength(buttons)
})
