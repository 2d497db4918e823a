// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import { expect, test } from 'vitest'
import { ok, refused, settingsOf, streamOf, userOf } from '../../../tests/fixtures/replies.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { openScreen } from '../../../tests/views/screen.tsx'
import type { Stream } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import { liveAddress } from '../../machines/player/address.ts'
import { playerMachine } from '../../machines/player/player.machine.ts'
import { selectMedia } from '../../machines/player/player.selectors.ts'
import { waitingPictureMachine } from '../../machines/player/waiting-picture.machine.ts'
import { streamMachine } from '../../machines/stream/stream.machine.ts'
import { Scenes } from './Scenes.tsx'

const fetchPicture = fromPromise<string | null, { uid: string; at: number | null }>(async () => 'blob:1')
const waitingPicture = waitingPictureMachine.provide({ actors: { fetchPicture } })

interface Opened {
  stream: Stream | null
  isAdmin?: boolean
  at?: number | null
  reply?: Reply<Stream>
}

/** The scenes of a player that knows its stream, or not yet. */
async function open({ stream: known, isAdmin = false, at = null, reply = ok(known ?? streamOf({})) }: Opened) {
  const stream = createActor(
    streamMachine.provide({
      actors: { fetchStream: fromPromise(async () => reply) },
      actions: { notifyChanged: () => undefined },
    }),
    { input: { uid: 'gate' } },
  ).start()
  const clock = new SimulatedClock()
  const actions = { notifyPlaying: () => undefined, notifyIdle: () => undefined }
  const player = createActor(playerMachine.provide({ actors: { waitingPicture }, actions }), {
    clock,
    input: {
      uid: 'gate',
      limits: settingsOf(),
      address: { ...liveAddress, at },
      stream: known,
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
  const view = () => () => (
    <Scenes player={player} media={media} stream={stream} shownAt={() => Date.UTC(2026, 10, 21, 9)} />
  )
  const screen = await openScreen('/streams', { view, world: { user: async () => ok(userOf({ isAdmin })) } })
  await act(settle)
  return { ...screen, clock, player, media }
}

test.each([
  [false, false, 0],
  [true, false, 1],
  [false, true, 1],
])('a paused stream offers Resume to who may change it (%s), and to administrators (%s)', async (...row) => {
  const [canAdmin, isAdmin, buttons] = row
  const { queryAllByRole } = await open({ stream: streamOf({ status: 'paused', meta: { canAdmin } }), isAdmin })
  expect(queryAllByRole('button', { name: 'Resume the stream' })).toHaveLength(buttons)
})

test('a preview is shown until the video is loaded', async () => {
  const { clock, player, media } = await open({ stream: null })
  const shown = () => [...document.querySelectorAll('img[alt=""]')].map((image) => image.getAttribute('src'))
  const seen = [shown()]
  await act(async () => {
    clock.increment(120)
    await settle()
  })
  seen.push(shown())
  act(() => {
    player.send({ type: 'stream.reported', stream: streamOf({}) })
    media.send({ type: 'engine.loaded', from: 0, to: 1000 })
  })
  expect([...seen, shown()]).toEqual([[], ['blob:1'], []])
})

test.each([
  [true, 'You may watch this stream live, but not its archive.'],
  [false, 'You may not watch this archive.'],
])('an archive that may not be watched says so: with live (%s), %s', async (live, words) => {
  const [startTime, endTime] = ['1970-01-01T00:00:00Z', '1970-01-01T00:01:00Z']
  const stream = streamOf({ sharedRange: { startTime, endTime, live } })
  const { player, media, queryAllByText } = await open({ stream, at: 500 })
  act(() => {
    const interval = { type: 'fragment', from: 0, to: 1000 } as const
    player.send({ type: 'timeline.picked', at: 500, interval, nextFragment: null })
    media.send({ type: 'engine.failed', failure: 'forbidden', at: null })
  })
  expect(queryAllByText(words)).toHaveLength(1)
})

test('a live picture that has stalled too long says why and since when, also while it loads again', async () => {
  const { clock, media, queryByRole, getByText } = await open({ stream: streamOf({}) })
  const titles = () => [...document.querySelectorAll('h2')].map(({ textContent }) => textContent)
  await act(async () => {
    media.send({ type: 'engine.loaded', from: 0, to: 1000 })
    for (const type of ['engine.played', 'engine.stalled'] as const) media.send({ type })
  })
  const seen = [titles()]
  getByText('Waiting for the video…')
  await act(async () => void clock.increment(1500))
  seen.push(titles())
  getByText(/^The video stopped arriving\. The last frame is from 09:00:00, .* Trying again…$/)
  await act(async () => media.send({ type: 'media.retried' }))
  seen.push(titles())
  getByText(/^The video stopped arriving\. The last frame is from 00:00:01, .* Trying again…$/)
  await act(async () => media.send({ type: 'engine.loaded', from: 0, to: 1000 }))
  expect([...seen, titles(), queryByRole('button', { name: 'Retry' })]).toEqual([
    [],
    ['No live picture'],
    ['No live picture'],
    [],
    null,
  ])
})

test('an error without words of its own is shown with its code', async () => {
  const { getByText } = await open({ stream: null, reply: refused(500, 'OutOfLuck') })
  expect(getByText(/\(OutOfLuck\)\. Trying again…$/)).toBeInstanceOf(HTMLElement)
})
