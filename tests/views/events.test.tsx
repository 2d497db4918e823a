// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { gate, notFound, settings } from '../fixtures/fake-server.ts'
import { at, expect, field, fill, part, press, test, textsOf, titled, until } from './console.tsx'
import { showAll } from './supplement.ts'

const event = {
  id: '7',
  streamId: 'gate',
  type: 'event',
  time: '2026-11-21T08:00:00.000Z',
  timeEnd: '2026-11-21T08:00:05.000Z',
  label: 'car',
  score: 0.874,
  source: 'yolo',
}
const announced = { json: { ...settings, features: ['events'] } }
const links = async () => textsOf((await part('navigation', 'Toolbar')).getAllByRole('link'))

test('a server without events has neither tab nor page, and is asked nothing of them', async ({ server, visit }) => {
  await visit('/ui/events')
  await screen.findByText('Page not found')
  expect([screen.queryByRole('banner'), screen.queryByRole('navigation')]).toEqual([null, null])
  await visit('/ui/help')
  await titled('Help')
  expect(await links()).not.toContain('Events')
  expect(server.count('GET /v1/events/search')).toBe(0)
})

test('events without an id are listed all the same', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announced)
  server.answer('GET /v1/streams', { json: { items: [gate], page: 1, pageSize: 50, total: 1 } })
  const nameless = { ...event, id: undefined }
  server.answer('GET /v1/events/search', { json: { items: [nameless, nameless], page: 1, pageSize: 50, total: 2 } })
  await visit('/ui/events')
  await screen.findByText('2 events')
  expect(screen.getAllByRole('link', { name: /^car/ })).toHaveLength(2)
})

test('an event is shown by its snapshot, and by the preview of its moment once that is gone', async ({
  server,
  visit,
}) => {
  server.answer('GET /v1/system/internal/ui/settings', announced)
  const items = [{ ...event, hasSnapshot: true }]
  server.answer('GET /v1/events/search', { json: { items, page: 1, pageSize: 50, total: 1 } })
  showAll()
  server.answer('GET /v1/stream/gate/annotation/7/snapshot', notFound)
  server.answer('GET /v1/stream/preview', { status: 204 })
  await visit('/ui/events')
  await until(() =>
    expect(server.calls.filter((call) => /snapshot|preview/.test(call)).slice(0, 2)).toEqual([
      'GET /v1/stream/gate/annotation/7/snapshot',
      'GET /v1/stream/preview?stream_id=gate&time=2026-11-21T08%3A00%3A00.000Z',
    ]),
  )
  await screen.findByText('No picture of this moment')
})

test('events are found by camera, type, label and time, which the address has and the browser remembers', async ({
  server,
  visit,
}) => {
  server.answer('GET /v1/system/internal/ui/settings', announced)
  server.answer('GET /v1/streams', { json: { items: [gate], page: 1, pageSize: 50, total: 1 } })
  server.answer('GET /v1/events/search', ({ url }) => {
    const isNone = new URL(url()).searchParams.get('label') === 'boat'
    return { json: { items: isNone ? [] : [event], page: 1, pageSize: 50, total: isNone ? 0 : 120 } }
  })
  await visit('/ui/help')
  await titled('Help')
  await press('link', 'Events', await part('navigation', 'Toolbar'))
  await titled('Events')
  await screen.findByText('120 events')
  const card = await part('link', /^car/)
  expect(textsOf(card.getAllByText(/car|Gate|87%|yolo/))).toEqual(['car', '87%', 'Gate', 'yolo'])
  expect(screen.getByRole('link', { name: /^car/ }).getAttribute('href')).toBe(
    '/ui/stream/gate/view?at=2026-11-21T08:00:00.000Z',
  )
  const search = () => server.calls.findLast((call) => call.startsWith('GET /v1/events/search'))
  await press('button', 'Older')
  await at('/ui/events?page=2')

  await fill('Camera', 'gate')
  await at('/ui/events?stream=gate')
  await fill('Type', 'event')
  await fill('Label', 'boat')
  await press('button', 'Apply')
  await screen.findByText('No events found')
  await at('/ui/events?stream=gate&label=boat&type=event')
  expect(search()).toBe('GET /v1/events/search?page=1&streamId=gate&label=boat&type=event')
  expect(document.activeElement).toBe(await field('Label'))

  await visit('/ui/events')
  await at('/ui/events?stream=gate&label=boat&type=event')
  await press('button', 'Remove Gate')
  await at('/ui/events?label=boat&type=event')
  await press('button', 'Clear')
  await at('/ui/events')
  await screen.findByText('120 events')
  await until(() => expect(search()).toBe('GET /v1/events/search?page=1'))

  await fill('Type', 'event')
  await at('/ui/events?type=event')
  await fill('Label', 'boat')
  await press('button', 'Clear')
  await at('/ui/events')
  expect(await field('Label')).toHaveProperty('value', '')
})

test('says what is to be done where there are none', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announced)
  server.answer('GET /v1/events/search', { json: { items: [], total: 0 } })
  await visit('/ui/events')
  await screen.findByText('No events yet')
  await screen.findByText('0 events')
})
