// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import { vi } from 'vitest'
import { gate, settings } from '../fixtures/fake-server.ts'
import {
  bodyOf,
  descriptionOf,
  expect,
  field,
  fill,
  focused,
  isDisabled,
  part,
  press,
  test,
  textsOf,
  titled,
  until,
} from './console.tsx'

const announce = (...features: string[]) => ({ json: { ...settings, features } })
const night = {
  id: 'a1',
  name: 'Night',
  on: ['stream.failed', 'node.lost'],
  streams: ['gate', 'gone'],
  labels: [],
  quietMinutes: 10,
  to: [
    { kind: 'mail', address: 'ann@example.org' },
    { kind: 'webhook', address: 'https://host.example/hook' },
  ],
}
const item = (name: string) => within(screen.getAllByRole('listitem', { name })[0] ?? document.body)

test('a server without alerts has neither tab nor page, and is asked nothing of them', async ({ server, visit }) => {
  await visit('/ui/administration/alerts')
  await screen.findByText('Page not found')
  await visit('/ui/administration/users')
  await titled('Users')
  expect(textsOf((await part('navigation', 'Toolbar')).getAllByRole('link'))).not.toContain('Alerts')
  expect(server.count('GET /v1/alerts')).toBe(0)
})

test('an alert is added, edited, tested and deleted by the calls of the contract alone', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announce('alerts'))
  server.answer('GET /v1/streams', { json: { items: [gate], page: 1, pageSize: 50, total: 1 } })
  const listed: object[] = []
  server.answer('GET /v1/alerts', () => ({ json: { items: listed } }))
  server.answer('POST /v1/alerts', () => {
    listed.push(night)
    return { json: { id: 'a1' } }
  })
  server.answer('PATCH /v1/alert/a1', { status: 204 })
  server.answer('POST /v1/alert/a1/test', { json: {} })
  server.answer('DELETE /v1/alert/a1', () => {
    listed.length = 0
    return {}
  })
  await visit('/ui/administration/users')
  await titled('Users')
  await press('link', 'Alerts', await part('navigation', 'Toolbar'))
  await titled('Alerts')
  await screen.findByText('No alerts yet')
  expect(screen.queryByRole('region', { name: 'Deliveries' })).toBeNull()

  await press('button', 'Add alert')
  const adding = await part('dialog', 'Add alert')
  await press('button', 'Save', adding)
  await until(async () => expect(descriptionOf(await field('Name', adding))).toBe('Fill this in'))
  await fill('Name', 'Night', adding)
  await press('checkbox', 'A camera recovers', adding)
  await press('checkbox', "A node or the database can't be reached", adding)
  await fill('Cameras', 'gate', adding)
  await fill('Address', 'ann@example.org', adding)
  expect(adding.queryByLabelText('Secret')).toBeNull()
  await press('button', 'Save', adding)
  await screen.findByText('1 alert')
  await screen.findByText('The alert Night has been saved')
  expect(bodyOf(server, 'POST /v1/alerts')).toEqual({
    name: 'Night',
    on: ['stream.failed', 'node.lost'],
    streams: ['gate'],
    quietMinutes: 10,
    to: [{ kind: 'mail', address: 'ann@example.org' }],
  })

  expect(item('Night').getByText("A camera fails · A node or the database can't be reached")).toBeTruthy()
  expect(item('Night').getByText('Cameras: Gate, gone')).toBeTruthy()
  await press('button', 'Send a test of Night', item('Night'))
  await item('Night').findByText('A test was sent')

  await press('button', 'Edit Night', item('Night'))
  const editing = await part('dialog', 'Edit alert')
  await press('button', 'Remove gone', editing)
  await press('button', 'Remove address 1', editing)
  await press('button', 'Save', editing)
  await until(() =>
    expect(bodyOf(server, 'PATCH /v1/alert/a1')).toEqual({
      streams: ['gate'],
      to: [{ kind: 'webhook', address: 'https://host.example/hook' }],
    }),
  )
  await until(() => expect(screen.queryByRole('dialog')).toBeNull())

  await press('button', 'Delete Night', item('Night'))
  await press('button', 'Delete', await part('alertdialog', 'Delete the alert Night?'))
  await screen.findByText('No alerts yet')
  expect(server.calls.some((call) => call.includes('deliveries'))).toBe(false)
})

test("a camera's own events are chosen by their names, which are sent as their labels", async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announce('alerts'))
  server.answer('GET /v1/alerts', { json: { items: [] } })
  server.answer('POST /v1/alerts', { json: { id: 'a1' } })
  await visit('/ui/administration/alerts')
  await press('button', 'Add alert')
  const adding = await part('dialog', 'Add alert')
  await fill('Name', 'Fence', adding)
  await press('checkbox', 'A detector reports an event', adding)
  await fill('Labels', 'Line crossing, Van ,', adding)
  await fill('Address', 'ann@example.org', adding)
  await press('button', 'Save', adding)
  await until(() => expect(bodyOf(server, 'POST /v1/alerts')).toMatchObject({ labels: ['line crossing', 'Van'] }))
})

test('quiet hours are added, checked beside their fields, and shown', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announce('alerts', 'alert-quiet-hours'))
  const quietHours = {
    timezone: 'Europe/Berlin',
    summary: false,
    periods: [{ days: ['sat', 'sun'], from: '22:00', to: '06:00' }],
  }
  server.answer('GET /v1/alerts', { json: { items: [{ ...night, quietHours }] } })
  server.answer('PATCH /v1/alert/a1', { status: 204 })
  await visit('/ui/administration/alerts')
  await screen.findByText('Quiet hours: Sat, Sun 22:00–06:00 (Europe/Berlin)')
  await press('button', 'Edit Night', item('Night'))
  const editing = await part('dialog', 'Edit alert')
  const first = within(editing.getByRole('group', { name: 'Quiet hours 1' }))
  expect(descriptionOf(await field('To', first))).toBe('On the next day')
  await press('checkbox', 'Sat', first)
  await press('checkbox', 'Sun', first)
  await press('button', 'Save', editing)
  await focused(first.getByRole('checkbox', { name: 'Mon' }))
  await fill('From', '', first)
  await press('button', 'Save', editing)
  await until(async () => expect(descriptionOf(await field('From', first))).toBe('Fill this in'))
  expect(first.getByRole('alert').textContent).toBe('Select at least one day')
  await fill('From', '20:30', first)
  await press('checkbox', 'Mon', first)
  await press('checkbox', 'Send a summary when they end', editing)
  await press('button', 'Save', editing)
  await until(() =>
    expect(bodyOf(server, 'PATCH /v1/alert/a1')).toEqual({
      quietHours: { ...quietHours, summary: true, periods: [{ days: ['mon'], from: '20:30', to: '06:00' }] },
    }),
  )
})

test('while one alert is tested, the others wait', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announce('alerts'))
  server.answer('GET /v1/alerts', { json: { items: [night, { ...night, id: 'a2', name: 'Day' }] } })
  const held = Promise.withResolvers<void>()
  server.answer('POST /v1/alert/a1/test', async () => {
    await held.promise
    return { json: {} }
  })
  await visit('/ui/administration/alerts')
  await screen.findByText('Day')
  await press('button', 'Send a test of Night', item('Night'))
  const other = () => item('Day').getByRole('button', { name: 'Send a test of Day' })
  await until(() => expect(isDisabled(other())).toBe(true))
  held.resolve()
  await until(() => expect(isDisabled(other())).toBe(false))
})

test('what is wrong with an address is shown beside it, until it is changed', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announce('alerts', 'alert-deliveries'))
  server.answer('GET /v1/alerts', { json: { items: [] } })
  server.answer('POST /v1/alerts', {
    status: 400,
    json: { code: 'ValidationError', details: { 'to.1.address': 'This address is not allowed', 'to.1.secret': 'No' } },
  })
  await visit('/ui/administration/alerts')
  await press('button', 'Add alert')
  const adding = await part('dialog', 'Add alert')
  await fill('Name', 'Hook', adding)
  await fill('Address', 'ann@example.org', adding)
  await press('button', 'Add an address', adding)
  const second = within(await adding.findByRole('group', { name: 'Address 2' }))
  await fill('Channel', 'webhook', second)
  await fill('Address', 'http://169.254.169.254/', second)
  await fill('Secret', 'a secret of the hook', second)
  await press('button', 'Save', adding)
  await until(async () => expect(descriptionOf(await field('Address', second))).toBe('This address may not be used'))
  expect(descriptionOf(await field('Secret', second))).toMatch(/No$/)
  await fill('Address', 'https://host.example/', second)
  expect(descriptionOf(await field('Address', second))).toBe('')
  expect(bodyOf(server, 'POST /v1/alerts')).toMatchObject({
    to: [
      { kind: 'mail', address: 'ann@example.org' },
      { kind: 'webhook', address: 'http://169.254.169.254/', secret: 'a secret of the hook' },
    ],
  })
})

test('a test that fails says which address, and why', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announce('alerts'))
  server.answer('GET /v1/alerts', { json: { items: [night] } })
  const items = [
    { kind: 'mail', address: 'ann@example.org', sent: true },
    { kind: 'webhook', address: 'https://host.example/hook', sent: false, failureReason: 'CERTIFICATE_REFUSED' },
  ]
  server.answer('POST /v1/alert/a1/test', { json: { items } })
  await visit('/ui/administration/alerts')
  await press('button', 'Send a test of Night')
  await item('Night').findByText('ann@example.org: a test was sent')
  expect(item('Night').getByText('https://host.example/hook: the certificate is not trusted')).toBeTruthy()
  server.answer('POST /v1/alert/a1/test', { status: 429, json: { code: 'TooManyRequests' } })
  await press('button', 'Send a test of Night')
  await item('Night').findByText(/^Not sent: Too many attempts/)
})

test('what was sent is listed, a page at a time, where the server says it', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announce('alerts', 'alert-deliveries'))
  server.answer('GET /v1/alerts', { json: { items: [night] } })
  const time = '2026-11-21T03:00:00Z'
  const delivery = { alertId: 'a1', alertName: 'Night', kind: 'mail', address: 'ann@example.org', attempts: 1 }
  const items = [
    {
      ...delivery,
      id: 'd1',
      on: ['stream.failed'],
      items: ['Gate', ''].map((streamName) => ({ on: 'stream.failed', streamId: 'yard', streamName, time })),
      total: 40,
      status: 'sent',
      createTime: time,
    },
    {
      ...delivery,
      id: 'd2',
      on: ['event'],
      items: [{ on: 'event', streamName: 'Gate', label: 'van', time }],
      streamName: 'Gate',
      status: 'failed',
      failureReason: 'MAIL_REFUSED',
    },
    {
      ...delivery,
      id: 'd5',
      on: ['disk.full'],
      items: [{ on: 'disk.full', over: true, nodeName: 'b', volume: '/disks/2', time }],
      status: 'sent',
    },
    {
      ...delivery,
      id: 'd3',
      on: ['disk.full'],
      status: 'waiting',
      failureReason: 'HTTP 503',
      nextTime: '2026-11-21T03:01:00Z',
    },
    { ...delivery, id: 'd4', on: ['disk.full'], status: 'waiting', attempts: 0 },
  ]
  server.answer('GET /v1/alert-deliveries', { json: { items, page: 1, pageSize: 50, total: 60 } })
  await visit('/ui/administration/alerts')
  const panel = await part('region', 'Deliveries')
  const rows = await panel.findAllByRole('row')
  const cells = rows.slice(1).map((row) => textsOf(within(row).getAllByRole('cell')).slice(2))
  expect(cells).toEqual([
    ['A camera fails (40 in total)Gate, yard and 38 more', 'Email ann@example.org', 'Sent'],
    ['Gate: A detector reports an eventvan', 'Email ann@example.org', 'Failed: the mail server refuses this address'],
    ['Resolved: A disk is nearly full or not writableb: /disks/2', 'Email ann@example.org', 'Sent'],
    [
      'A disk is nearly full or not writable',
      'Email ann@example.org',
      expect.stringMatching(/^Retry at .*: HTTP 503$/),
    ],
    ['A disk is nearly full or not writable', 'Email ann@example.org', 'Waiting'],
  ])
  await press('button', 'Older', panel)
  await until(() => expect(server.calls).toContain('GET /v1/alert-deliveries?page=2'))
})

test('this browser is chosen by a press alone, where the server pushes', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', announce('alerts'))
  server.answer('GET /v1/alerts', { json: { items: [], pushKey: 'BKey' } })
  server.answer('POST /v1/alerts', { json: { id: 'a1' } })
  const asked: string[] = []
  const subscription = { endpoint: 'https://push.example/send/1', keys: {} }
  const pushManager = {
    subscribe: async (options: { applicationServerKey: string }) => {
      asked.push(`subscribe by ${options.applicationServerKey}`)
      return subscription
    },
  }
  const permissions = ['denied', 'granted']
  vi.stubGlobal('PushManager', {})
  vi.stubGlobal('Notification', { requestPermission: async () => permissions.shift() })
  vi.stubGlobal('navigator', {
    userAgent: navigator.userAgent,
    language: 'en',
    languages: ['en'],
    serviceWorker: { getRegistration: async () => ({ pushManager }), ready: Promise.resolve() },
  })
  await visit('/ui/administration/alerts')
  await press('button', 'Add alert')
  const adding = await part('dialog', 'Add alert')
  await fill('Name', 'Night', adding)
  await fill('Channel', 'push', adding)
  await adding.findByText('No browser is selected yet.')
  await press('button', 'Use this browser', adding)
  await adding.findByText(/^This browser blocks notifications/)
  expect(asked).toEqual([])
  await press('button', 'Use this browser', adding)
  await adding.findByText('https://push.example')
  await press('button', 'Save', adding)
  await until(() =>
    expect(bodyOf(server, 'POST /v1/alerts')).toMatchObject({
      to: [{ kind: 'push', address: JSON.stringify(subscription) }],
    }),
  )
  expect(asked).toEqual(['subscribe by BKey'])
})
