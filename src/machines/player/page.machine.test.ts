import { fromPromise } from 'xstate'
import { expect, test } from 'vitest'
import { streamOf, settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { User } from '../../api/contract/user.ts'
import { exportDraftMachine } from '../exports/export-draft.machine.ts'
import { locksMachine } from '../locks/locks.machine.ts'
import { motionMachine } from '../motion/motion.machine.ts'
import { ptzMachine } from '../ptz/ptz.machine.ts'
import { streamMachine } from '../stream/stream.machine.ts'
import { liveAddress } from './address.ts'
import type { Environment } from './page.events.ts'
import { playerPageMachine } from './page.machine.ts'
import { playerMachine } from './player.machine.ts'

const now = Date.UTC(2026, 10, 21, 12)
const environment: Environment = {
  now,
  zone: 'Europe/Berlin',
  zoneChoice: 'server',
  sound: { volume: 0.5, isMuted: true },
  timelineLists: { isOpen: true, list: 'recordings', types: ['line'] },
}
const stream = streamOf({ uid: 'gate', name: 'Gate' })
const input = {
  ...pageInput({ params: { uid: 'gate' } }),
  settings: settingsOf({ timezone: 'Asia/Tokyo' }),
  address: { pathname: '/stream/gate/view', search: '?at=2026-11-21T10:00:00.000Z&speed=2', hash: '' },
}
const tools = {
  type: 'tools.loaded',
  locks: locksMachine,
  exportDraft: exportDraftMachine,
  maxExportItems: 32,
  ptz: ptzMachine,
} as const
const quiet = streamMachine.provide({ actors: {} })

const open = (search = input.address.search, user: User | null = null) =>
  openPage(
    playerPageMachine.provide({ actors: { stream: quiet, readEnvironment: fromPromise(async () => environment) } }),
    { ...input, address: { ...input.address, search }, user },
  )

test('the player starts with the address, the settings and the environment', async () => {
  const page = open()
  expect(page.value()).toBe('opening')
  await settle()
  expect(page.value()).toBe('open')
  const { player } = page.ref.getSnapshot().children
  expect(player?.getSnapshot().context).toMatchObject({
    uid: 'gate',
    zone: 'Asia/Tokyo',
    sound: environment.sound,
    address: { ...liveAddress, at: Date.UTC(2026, 10, 21, 10), speed: 2 },
    bookmarkLocation: null,
  })
})

test('the selection can be exported if the server has the feature and a user is signed in', () => {
  const features = settingsOf({ features: ['exports'] })
  const draftOf = (answer: object) => {
    const page = openPage(playerPageMachine, { ...input, ...answer })
    page.send(tools)
    return page.context().exportDraft
  }
  expect(draftOf({ settings: features, user: userOf() }).getSnapshot().context).toMatchObject({
    uid: 'gate',
    limits: { maxSeconds: 3600, chunkMs: 10_800_000, maxItems: 32 },
  })
  expect([draftOf({ settings: features }), draftOf({ user: userOf() })]).toEqual([null, null])
})

test('locks are fetched if the server has the feature, and know the right to administer the stream', async () => {
  const answer = { ...input, settings: settingsOf({ features: ['locks'] }), user: userOf() }
  const page = openPage(
    playerPageMachine.provide({ actors: { stream: quiet, readEnvironment: fromPromise(async () => environment) } }),
    answer,
  )
  await settle()
  expect(page.context().locks).toBe(null)
  page.send(tools)
  const { locks } = page.context()
  const value = () => locks.getSnapshot().value.list
  expect(value()).toBe('closed')
  const report = { type: 'stream.reported', stream: streamOf({ uid: 'gate', meta: { canAdmin: true } }) }
  page.send(report)
  expect(value()).toEqual({ open: 'loading' })
  page.send(tools)
  expect(page.context().locks).toBe(locks)
  const later = openPage(playerPageMachine.provide({ actors: { stream: quiet } }), answer)
  later.send(report)
  later.send(tools)
  expect(later.context().locks.getSnapshot().value.list).toEqual({ open: 'loading' })
  const guest = open()
  guest.send(tools)
  expect(guest.context().locks).toBe(null)
})

test('the motion search runs once its code is loaded, if the server has the feature', () => {
  const logic = motionMachine
  const motionOf = (features: string[], user: User | null = userOf()) => {
    const page = openPage(playerPageMachine, { ...input, settings: settingsOf({ features }), user })
    for (const type of ['motion.loaded', 'motion.loaded']) page.send({ type, logic })
    return page.context().motion
  }
  expect(motionOf(['motion']).getSnapshot().context.uid).toBe('gate')
  expect([motionOf([]), motionOf(['motion'], null)]).toEqual([null, null])
})

test('a guest of a shared range gets a player that opens at its start, and another one if it changes', async () => {
  const page = open('')
  await settle()
  const player = () => page.ref.getSnapshot().children.player
  const before = player()
  const meta = { ...stream.meta, canAdmin: false, canViewArchive: true }
  const shared = { startTime: now - 3_600_000, endTime: now - 1_800_000, live: false }
  page.send({ type: 'stream.reported', stream: { ...stream, meta, sharedRange: shared } })
  const first = player()
  expect([first === before, first?.getSnapshot().context.address.at]).toEqual([false, shared.startTime])
  page.send({ type: 'stream.reported', stream: { ...stream, meta, sharedRange: shared, viewers: 3 } })
  expect(player()).toBe(first)
  page.send({ type: 'stream.reported', stream: { ...stream, meta, sharedRange: { ...shared, live: true } } })
  expect(player()).not.toBe(first)
})

test('a link with only in and out marks opens at the in mark', async () => {
  const page = open('?in=2026-11-21T10:00:00.000Z&out=2026-11-21T10:05:00.000Z')
  await settle()
  const [from, to] = [Date.UTC(2026, 10, 21, 10), Date.UTC(2026, 10, 21, 10, 5)]
  expect(page.ref.getSnapshot().children.player?.getSnapshot().context.address).toEqual({
    ...liveAddress,
    at: from,
    selection: { from, to },
  })
})

test('a stream is described to the header once, and again when its name or the right to it changes', async () => {
  const page = open()
  await settle()
  for (const one of [stream, { ...stream, viewers: 3 }, { ...stream, name: 'North gate' }, { ...stream, name: '' }])
    page.send({ type: 'stream.reported', stream: one })
  expect(page.received).toEqual(
    ['Gate', 'North gate', 'gate'].map((name) => ({
      type: 'page.described',
      subject: { kind: 'stream', id: 'gate', name, canAdmin: stream.meta.canAdmin },
    })),
  )
})

test.each([{ type: 'stream.forbidden', code: 'Forbidden' }, { type: 'page.missing' }] as const)(
  'to a guest $type says that the link was withdrawn',
  async (event) => {
    const page = open()
    await settle()
    page.send(event)
    expect([page.value(), page.received, Object.keys(page.ref.getSnapshot().children)]).toEqual([
      'withdrawn',
      [],
      ['stream', 'loadTools', 'timelineLists'],
    ])
  },
)

test('after a refusal and a retry the player opens where it was', async () => {
  const page = open(undefined, userOf())
  await settle()
  const player = () => page.ref.getSnapshot().children.player
  const at = Date.UTC(2026, 10, 21, 9)
  const selection = { from: at - 60_000, to: at + 60_000 }
  player()?.send({ type: 'clock.ticked', now, playhead: at })
  player()?.send({ type: 'selection.changed', selection })
  page.send({ type: 'stream.forbidden', code: 'Forbidden' })
  page.send({ type: 'stream.retried' })
  await settle()
  expect([page.value(), player()?.getSnapshot().context.address]).toEqual([
    'open',
    { ...liveAddress, at, speed: 2, selection },
  ])
})

test('the lists are as the last player left them, and outlive a player that closes', async () => {
  const page = open(undefined, userOf())
  await settle()
  const { timelineLists } = page.context()
  expect(timelineLists.getSnapshot()).toMatchObject({ value: 'open', context: { list: 'recordings', types: ['line'] } })
  page.send({ type: 'stream.forbidden', code: 'Forbidden' })
  page.send({ type: 'stream.retried' })
  await settle()
  expect(page.context().timelineLists).toBe(timelineLists)
})

test('after a retry live stays live, though marks are set', async () => {
  const page = open('', userOf())
  await settle()
  const player = () => page.ref.getSnapshot().children.player
  const selection = { from: now - 120_000, to: now - 60_000 }
  player()?.send({ type: 'selection.changed', selection })
  page.send({ type: 'stream.forbidden', code: 'Forbidden' })
  page.send({ type: 'stream.retried' })
  await settle()
  expect(player()?.getSnapshot().context.address).toEqual({ ...liveAddress, selection })
})

test('the password of a share is asked for, and then the stream is fetched again', async () => {
  const page = open()
  await settle()
  page.send({ type: 'stream.forbidden', code: 'SharePasswordRequired' })
  expect([page.value(), Object.keys(page.ref.getSnapshot().children)]).toEqual([
    'passwordRequired',
    ['stream', 'loadTools', 'timelineLists', 'unlock'],
  ])
  page.send({ type: 'form.saved', answer: {}, values: { uid: 'gate', password: 'gate code 7' } })
  expect(page.value()).toBe('opening')
})

test('every edge of the chart is walked, by a guest and by a user', () => {
  const nothing = () => undefined
  const walks = [null, userOf()].map((user) =>
    walkEdges(playerPageMachine.provide({ actors: { player: playerMachine, stream: quiet } }), {
      model: playerPageMachine.provide({
        actions: {
          describe: nothing,
          keepAddress: nothing,
          notifyMissing: nothing,
          notifyStream: nothing,
          notifyPlayer: nothing,
          retry: nothing,
        },
      }),
      input: { ...input, settings: settingsOf({ features: ['motion'] }), user },
      events: [
        { type: 'stream.reported', stream },
        { type: 'stream.reported', stream: { ...stream, sharedRange: { startTime: 0, endTime: now, live: false } } },
        { type: 'stream.forbidden', code: 'Forbidden' },
        { type: 'stream.forbidden', code: 'SharePasswordRequired' },
        { type: 'form.saved', answer: {}, values: { uid: 'gate', password: 'x' } },
        { type: 'page.missing' },
        { type: 'address.changed', address: { search: '' } },
        { type: 'stream.retried' },
        { type: 'motion.loaded', logic: motionMachine },
        tools,
        { type: 'stream.playing' },
        { type: 'stream.idle' },
        { type: 'xstate.done.actor.readEnvironment', output: environment },
        { type: 'xstate.error.actor.readEnvironment', error: new Error('no storage') },
      ],
      name: ({ value, context }) =>
        JSON.stringify([value, context['stream'] === null, context['motion'] === null, context['hasTools']]),
    }),
  )
  expect(walks.flatMap(({ strayed }) => strayed)).toEqual([])
  expect([...new Set(walks.flatMap(({ covered }) => covered))].toSorted()).toEqual(walks[0]?.declared)
})
