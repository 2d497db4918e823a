// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, vi } from 'vitest'
import { type FakeServer, gate } from '../fixtures/fake-server.ts'
import { silenceMediaElements } from '../fixtures/shaka.ts'
import { expect, part, press, test, until } from './console.tsx'

/** The playlists that were asked for, and what fails with an error of the engine. */
const media = vi.hoisted(() => ({
  asked: [] as string[],
  fails: (_search: string): number | null => null,
  data: [] as unknown[],
}))

vi.mock('shaka-player/dist/shaka-player.hls-es2021.js', async () =>
  (await import('../fixtures/shaka.ts')).shakaModule({
    load: async (url) => {
      const { pathname, search } = new URL(url)
      media.asked.push(`${pathname.split('/')[3]}${search}`)
      const code = media.fails(search)
      if (code !== null) throw Object.assign(new Error('unplayable'), { code, data: media.data })
    },
  }),
)

/** It draws on a canvas, which jsdom lacks. */
vi.mock('../../src/views/timeline/Timeline.tsx', () => ({ Timeline: () => null }))

silenceMediaElements()

const renditions = ['main', 'sub', 'compatible']
const h265 = { codec: 'hvc1.1.6.L93.B0', width: 3840, height: 2160, fps: 25 }
const environment = { width: 0, plays: (_type: string): boolean => true }

beforeEach<{ server: FakeServer }>(({ server }) => {
  Object.assign(media, { asked: [], fails: () => null, data: [] })
  Object.assign(environment, { width: 1200, plays: () => true })
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(() => environment.width)
  vi.stubGlobal('MediaSource', { isTypeSupported: (type: string) => environment.plays(type) })
  vi.stubGlobal('innerWidth', 1600)
  server.answer('GET /v1/stream/gate', { json: gate })
})
afterEach(() => void vi.unstubAllGlobals())

const asks = (...playlists: string[]) => until(() => expect(media.asked).toEqual(playlists))
const watch = (server: FakeServer, fields: object) => {
  server.answer('GET /v1/stream/gate', { json: { ...gate, ...fields } })
  return '/ui/stream/gate/view'
}
const playsNoH265 = (type: string) => !type.includes('hvc1')

describe('a server that announces renditions', () => {
  test('is asked for none of them where the picture is large', async ({ server, visit }) => {
    await visit(watch(server, { renditions }))
    await asks('gate')
  })

  test('is asked for the substream where it is small, and nothing else before', async ({ server, visit }) => {
    environment.width = 480
    await visit(watch(server, { renditions }))
    await asks('gate?rendition=sub')
  })

  test('and in a narrow window', async ({ server, visit }) => {
    vi.stubGlobal('innerWidth', 614)
    await visit(watch(server, { renditions }))
    await asks('gate?rendition=sub')
  })

  test('main again once the picture is magnified', async ({ server, visit }) => {
    environment.width = 480
    await visit(watch(server, { renditions }))
    await asks('gate?rendition=sub')
    await press('button', 'Magnify')
    await asks('gate?rendition=sub', 'gate')
    await press('button', 'Shrink')
    await asks('gate?rendition=sub', 'gate', 'gate?rendition=sub')
  })

  test('for a compatible picture where the browser plays neither main nor the substream', async ({ server, visit }) => {
    environment.plays = playsNoH265
    media.fails = (search) => (search.includes('sub') ? 4032 : null)
    await visit(watch(server, { renditions, video: h265 }))
    await asks('gate?rendition=sub', 'gate?rendition=compatible')
    await screen.findByText("Transcoded video: this browser can't play H.265")
  })

  test('for a compatible picture at once where there is no substream', async ({ server, visit }) => {
    environment.plays = playsNoH265
    const tracks = [{ type: 'video', codec: 'hevc' }]
    await visit(watch(server, { renditions: ['main', 'compatible'], tracks }))
    await asks('gate?rendition=compatible')
  })

  test('for what it has of those, once main turns out unplayable', async ({ server, visit }) => {
    media.fails = (search) => (search === '' ? 4032 : null)
    await visit(watch(server, { renditions: ['main', 'compatible'] }))
    await asks('gate', 'gate?rendition=compatible')
    await screen.findByText("Transcoded video: this browser can't play the camera's format")
  })
})

describe('where the server converts as much as it may', () => {
  beforeEach(() => {
    environment.plays = playsNoH265
    Object.assign(media, { fails: () => 1001, data: ['', 503, '', { 'retry-after': '10' }] })
  })

  test('the player says so, and that it tries again', async ({ server, visit }) => {
    await visit(watch(server, { renditions: ['main', 'compatible'], video: h265 }))
    await screen.findByText('Too many streams are being transcoded now. Trying again…')
    media.fails = () => null
    await press('button', 'Retry')
    await asks('gate?rendition=compatible', 'gate?rendition=compatible')
  })

  test('a tile of a mosaic says so', async ({ server, visit }) => {
    const cells = [{ streamUid: 'gate', x: 0, y: 0, w: 1, h: 1 }]
    const streams = [{ ...gate, renditions: ['main', 'compatible'], video: h265 }]
    server.answer('GET /v1/mosaic/m1', { json: { id: 'm1', name: 'Wall', columns: 1, rows: 1, cells, streams } })
    await visit('/ui/mosaic/m1')
    await screen.findByText('Too many streams are being transcoded now.')
  })
})

test('a server that says nothing of renditions is never asked for one', async ({ server, visit }) => {
  environment.width = 480
  environment.plays = playsNoH265
  media.fails = () => 4032
  vi.stubGlobal('innerWidth', 390)
  await visit(watch(server, { video: h265 }))
  await screen.findByText("This browser can't play this video's format")
  await press('button', 'Magnify')
  await press('button', 'Retry')
  await asks('gate', 'gate')
})

test('the tiles of a mosaic are asked for by their size; one that is enlarged takes main', async ({
  server,
  visit,
}) => {
  environment.width = 480
  const cells = ['gate', 'yard'].map((streamUid, x) => ({ streamUid, x, y: 0, w: 1, h: 1 }))
  const streams = [
    { ...gate, renditions },
    { ...gate, uid: 'yard', name: 'Yard' },
  ]
  server.answer('GET /v1/mosaic/m1', { json: { id: 'm1', name: 'Wall', columns: 2, rows: 1, cells, streams } })
  await visit('/ui/mosaic/m1')
  await asks('gate?rendition=sub', 'yard')
  environment.width = 1500
  await press('button', 'Enlarge Gate', await part('article', /^Gate/))
  fireEvent(globalThis.window, new Event('resize'))
  await asks('gate?rendition=sub', 'yard', 'gate')
})
