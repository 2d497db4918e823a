import { describe, expect, test } from 'vitest'
import { createActor, fromPromise, setup } from 'xstate'
import { Camera, FoundCameras } from '../../api/contract/onvif.ts'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Reply } from '../../api/reply.ts'
import { chooseProfiles } from './camera-sources.ts'
import { findCamerasMachine, type FindCamerasEvent } from './find-cameras.machine.ts'
import { type CameraQuery, type PictureQuery, selectedCount, waitingCount } from './found-cameras.ts'

const profile = (codec: string, width: number, height: number) => ({
  codec,
  width,
  height,
  streamSource: `rtsp://10.0.0.5/${width}`,
})
const cameraOf = (...profiles: object[]) =>
  Camera.parse({ manufacturer: 'Acme', model: 'Dome', profiles, snapshot: 'http://10.0.0.5/snap.jpg' })
const dome = cameraOf(profile('hevc', 2560, 1440), profile('h264', 640, 360))
const foundOf = (...items: object[]) => FoundCameras.parse({ items })
const gate = { id: 'gate', address: 'http://10.0.0.5/d', host: '10.0.0.5', name: 'Gate', location: 'Yard' }
const door = { id: 'door', address: 'http://10.0.0.6/d', host: '10.0.0.6' }

describe('the profiles of a camera', () => {
  test.each([
    [
      'the largest and the smallest',
      [
        [640, 360],
        [2560, 1440],
        [1280, 720],
      ],
      [2560, 640],
    ],
    [
      'none as the substream that is too small for a tile',
      [
        [1920, 1080],
        [176, 144],
      ],
      [1920, undefined],
    ],
    [
      'none as the substream that is as large',
      [
        [1920, 1080],
        [1920, 1080],
      ],
      [1920, undefined],
    ],
    ['the only one', [[320, 180]], [320, undefined]],
  ])('are chosen: %s', (_name, sizes, [main, substream]) => {
    const chosen = chooseProfiles(cameraOf(...sizes.map(([width = 0, height = 0]) => profile('h264', width, height))))
    expect([chosen.main?.width, chosen.substream?.width]).toEqual([main, substream])
  })

  test('leave out those to be transcoded, unless there are no others', () => {
    const jpeg = profile('mjpeg', 3840, 2160)
    expect(chooseProfiles(cameraOf(jpeg, profile('h264', 1280, 720))).main?.width).toBe(1280)
    expect(chooseProfiles(cameraOf(jpeg)).main?.width).toBe(3840)
  })
})

function start(answers: Readonly<Record<string, Reply<Camera>>>, found: object[] = [gate, door]) {
  const asked: CameraQuery[] = []
  const pictured: PictureQuery[] = []
  const received: object[] = []
  const picture = new Blob(['x'])
  const page = findCamerasMachine.provide({
    actors: {
      search: fromPromise(async () => ok(foundOf(...found))),
      queryCamera: fromPromise(async ({ input }) => {
        asked.push(input)
        return answers[input.address] ?? refused(400, 'ProbeError')
      }),
      fetchPicture: fromPromise(async ({ input }) => {
        pictured.push(input)
        return ok(picture)
      }),
    },
  })
  const parent = setup({ actors: { page } }).createMachine({
    invoke: { id: 'page', src: 'page' },
    on: { '*': { actions: ({ event }) => received.push(event) } },
  })
  const actor = createActor(parent).start()
  const child = actor.getSnapshot().children.page
  if (child === undefined) throw new Error('no page')
  return {
    asked,
    pictured,
    received,
    picture,
    context: () => child.getSnapshot().context,
    value: () => child.getSnapshot().value,
    send: async (...events: FindCamerasEvent[]) => {
      for (const event of events) child.send(event)
      for (let turn = 0; turn < 12; turn += 1) await settle()
    },
  }
}

const credentials = { login: 'ann', password: 'secret' }
const ask: FindCamerasEvent[] = [
  { type: 'cameras.toggled' },
  { type: 'credentials.edited', credentials },
  { type: 'cameras.queried' },
]

describe('finding cameras', () => {
  test('searches once it is opened, and not again when it is reopened', async () => {
    const page = start({})
    expect(page.value()).toMatchObject({ search: 'unopened' })
    await page.send({ type: 'search.opened' })
    expect(page.context().cameras.map(({ id }) => id)).toEqual(['gate', 'door'])
    await page.send({ type: 'search.opened' })
    expect(page.value()).toMatchObject({ search: 'over' })
  })

  test('queries the selected ones with one login, each with its own outcome and picture', async () => {
    const page = start({ [gate.address]: ok(dome) })
    await page.send({ type: 'search.opened' })
    await page.send(...ask)
    expect(page.asked).toEqual([gate, door].map(({ address }) => ({ address, ...credentials })))
    const { outcomes, pictures } = page.context()
    expect(outcomes).toMatchObject({
      gate: { isConnected: true, credentials },
      door: { isConnected: false, apiError: { code: 'ProbeError' } },
    })
    expect(page.pictured).toEqual([{ ...credentials, urls: ['http://10.0.0.5/snap.jpg', 'rtsp://10.0.0.5/640'] }])
    expect(pictures['gate']).toBe(page.picture)
    expect([waitingCount(page.context()), selectedCount(page.context())]).toEqual([1, 1])
  })

  test('queries none that was deselected while it waited', async () => {
    const page = start({ [gate.address]: ok(dome) })
    await page.send({ type: 'search.opened' })
    await page.send(...ask, { type: 'camera.toggled', id: 'door' })
    expect(page.asked.map(({ address }) => address)).toEqual([gate.address])
    expect([Object.keys(page.context().outcomes), page.value()]).toMatchObject([['gate'], { querying: 'idle' }])
  })

  test('queries only failed ones again, and keeps the credentials of each', async () => {
    const answers: Record<string, Reply<Camera>> = { [gate.address]: ok(dome) }
    const page = start(answers)
    await page.send({ type: 'search.opened' })
    await page.send(...ask)
    answers[door.address] = ok(dome)
    const other = { login: 'bob', password: 'other' }
    await page.send({ type: 'credentials.edited', credentials: other }, { type: 'cameras.queried' })
    expect(page.asked.slice(2)).toEqual([{ address: door.address, ...other }])
    await page.send({ type: 'cameras.chosen' })
    expect(page.received).toEqual([
      {
        type: 'cameras.selected',
        cameras: [
          {
            ...credentials,
            name: 'Gate',
            location: 'Yard',
            streamSource: 'rtsp://10.0.0.5/2560',
            substreamSource: 'rtsp://10.0.0.5/640',
            'onvif.url': gate.address,
            'onvif.profile': '',
          },
          {
            ...other,
            name: 'Acme Dome',
            location: '',
            streamSource: 'rtsp://10.0.0.5/2560',
            substreamSource: 'rtsp://10.0.0.5/640',
            'onvif.url': door.address,
            'onvif.profile': '',
          },
        ],
      },
    ])
  })

  test('appends the host to cameras with the same name', async () => {
    const found = [gate, { ...door, name: 'Gate' }]
    const page = start({ [gate.address]: ok(dome), [door.address]: ok(dome) }, found)
    await page.send({ type: 'search.opened' })
    await page.send(...ask)
    await page.send({ type: 'cameras.chosen' })
    expect(page.received).toMatchObject([{ cameras: [{ name: 'Gate 10.0.0.5' }, { name: 'Gate 10.0.0.6' }] }])
  })

  test('adds a typed address once, and selects it', async () => {
    const page = start({})
    const type: FindCamerasEvent[] = [{ type: 'address.edited', address: ' 10.0.0.9:8080 ' }, { type: 'address.added' }]
    await page.send(...type, ...type, { type: 'address.added' })
    const { cameras, chosen, address } = page.context()
    expect([cameras.map(({ id, host }) => [id, host]), chosen, address]).toEqual([
      [['10.0.0.9:8080', '10.0.0.9']],
      ['10.0.0.9:8080'],
      '',
    ])
    await page.send({ type: 'search.opened' })
    expect(page.context().cameras.map(({ id }) => id)).toEqual(['gate', 'door', '10.0.0.9:8080'])
  })

  test('every edge of the chart is walked', () => {
    const own = {
      'search.opened': [{ type: 'search.opened' }],
      'search.requested': [{ type: 'search.requested' }],
      'search.cancelled': [{ type: 'search.cancelled' }],
      'address.edited': [{ type: 'address.edited', address: 'a' }],
      'address.added': [{ type: 'address.added' }],
      'camera.toggled': [{ type: 'camera.toggled', id: 'gate' }],
      'cameras.toggled': [{ type: 'cameras.toggled' }],
      'credentials.edited': [{ type: 'credentials.edited', credentials: {} }],
      'cameras.queried': [{ type: 'cameras.queried' }],
      'querying.cancelled': [{ type: 'querying.cancelled' }],
      'cameras.chosen': [{ type: 'cameras.chosen' }],
    } satisfies { [Type in FindCamerasEvent['type']]: Extract<FindCamerasEvent, { type: Type }>[] }
    const typing = [...own['address.edited'], ...own['address.added']]
    const others = Object.values(own)
      .flat()
      .filter(({ type }) => !type.startsWith('address.'))
    const walks = [
      typing,
      [
        ...others,
        { type: 'xstate.done.actor.search', output: ok(foundOf(gate)) },
        { type: 'xstate.done.actor.search', output: refused(429, 'TooManyRequests') },
        { type: 'xstate.error.actor.search', error: new Error('broken') },
        { type: 'xstate.done.actor.queryCamera', output: ok(dome) },
        { type: 'xstate.done.actor.queryCamera', output: refused(400, 'ProbeError') },
        { type: 'xstate.error.actor.queryCamera', error: new Error('broken') },
        { type: 'xstate.done.actor.fetchPicture', output: ok(new Blob()) },
        { type: 'xstate.done.actor.fetchPicture', output: refused(400, 'ProbeError') },
        { type: 'xstate.error.actor.fetchPicture', error: new Error('broken') },
      ],
    ].map((events) =>
      walkEdges(findCamerasMachine, {
        model: findCamerasMachine.provide({ actions: { reportSelected: () => undefined } }),
        events,
        name: ({ value, context }) =>
          JSON.stringify([
            value,
            context['cameras'].length,
            context['chosen'],
            context['queue'],
            context['address'],
            selectedCount(context),
            Object.keys(context['pictures']),
          ]),
      }),
    )
    expect(walks.flatMap(({ strayed }) => strayed)).toEqual([])
    expect([...new Set(walks.flatMap(({ covered }) => covered))].toSorted()).toEqual(walks[0]?.declared)
  })
})
