// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { createActor, fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { refused, settingsOf, configurationOf, userOf } from '../../../tests/fixtures/replies.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { openScreen } from '../../../tests/views/screen.tsx'
import { createMediaController } from '../../api/media/controller/create-media-controller.ts'
import type { Stream } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import type { PlayerPageRef } from '../../machines/player/player.selectors.ts'
import { playerPageMachine } from '../../machines/player/page.machine.ts'
import { streamMachine } from '../../machines/stream/stream.machine.ts'
import { PlayerPage } from './PlayerPage.tsx'

async function opened(code: string) {
  const stream = streamMachine.provide({
    actors: { fetchStream: fromPromise(async (): Promise<Reply<Stream>> => refused(403, code)) },
  })
  const actor: PlayerPageRef = createActor(playerPageMachine.provide({ actors: { stream } }), {
    input: {
      params: { uid: 'gate' },
      address: { pathname: '/stream/gate/view', search: '', hash: '' },
      settings: settingsOf(),
      configuration: configurationOf(),
      user: userOf(),
    },
  }).start()
  await settle()
  const ports = {
    controller: createMediaController(),
    serverNow: Date.now,
    capabilities: { fullScreen: 'element', hasPictureInPicture: true, hasVolume: true } as const,
    attachScreen: () => () => undefined,
    loadMotion: () => undefined,
    stills: { loaded: null, load: async () => ({ Strip: () => null }) },
  }
  const screen = await openScreen('/stream/gate/view', { view: () => () => <PlayerPage actor={actor} ports={ports} /> })
  await act(settle)
  return screen
}

test.each([
  ['', "You don't have access"],
  ['Forbidden', "You don't have access"],
  ['EnterpriseOnly', 'Enterprise only'],
  ['LicenseExpired', 'License is missing or expired'],
])(
  'a stream refused with the code “%s” says “%s” instead of its player (docs/behaviour.md §7)',
  async (code, title) => {
    const { inside } = await opened(code)
    expect(
      inside('main')
        .getAllByRole('heading')
        .map(({ textContent }) => textContent),
    ).toEqual([title])
    expect(inside('main').getByRole('link', { name: 'All streams' })).toBeDefined()
  },
)
