// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, vi } from 'vitest'
import { bob, type FakeServer, gate, settings } from '../fixtures/fake-server.ts'
import { silenceMediaElements } from '../fixtures/shaka.ts'
import { bodyOf, expect, part, press, test, textsOf, until } from './console.tsx'

vi.mock('shaka-player/dist/shaka-player.hls-es2021.js', async () =>
  (await import('../fixtures/shaka.ts')).shakaModule(),
)

/** It draws on a canvas, which jsdom lacks. */
vi.mock('../../src/views/timeline/Timeline.tsx', () => ({ Timeline: () => null }))

silenceMediaElements()
afterEach(() => void vi.unstubAllGlobals())

const archive = { canView: true, canViewArchive: true, canAdmin: false }
const announce = (server: FakeServer, ...features: readonly string[]) =>
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features } })
const heads = async (table: string) => textsOf((await part('table', table)).getAllByRole('columnheader'))

describe('a form of permissions', () => {
  beforeEach<{ server: FakeServer }>(({ server }) => {
    const echo = (call: string) => server.answer(call, (request) => ({ json: request.postDataJSON() }))
    server.answer('GET /v1/stream/gate', { json: gate })
    server.answer('GET /v1/stream/gate/permissions', { json: { permissions: [{ login: 'bob', ...archive }] } })
    server.answer('GET /v1/user/bob', { json: bob })
    server.answer('GET /v1/streams', { json: { items: [gate], page: 1, pageSize: 50, total: 1 } })
    server.answer('GET /v1/user/bob/permissions', {
      json: { permissions: [{ uid: 'gate', name: 'Gate', ...archive }] },
    })
    server.answer('GET /v1/groups', { json: { items: [], page: 1, pageSize: 50, total: 0 } })
    server.answer('GET /v1/users', { json: { items: [bob] } })
    server.answer('GET /v1/group/g1', { json: { id: 'g1', kind: 'users', name: 'Guards', members: [] } })
    server.answer('GET /v1/group/g1/permissions', {
      json: { permissions: [{ streamId: 'gate', name: 'Gate', ...archive }] },
    })
    for (const call of ['POST /v1/stream/gate/permissions', 'POST /v1/user/bob/permissions']) echo(call)
    echo('PUT /v1/group/g1/permissions')
  })

  /** The same on all pages. */
  const columns = ['Live', 'Archive', 'Download', 'Administer']
  const forms = [
    {
      page: '/ui/stream/gate/permission',
      table: 'Stream permissions',
      box: 'Download: bob',
      call: 'POST /v1/stream/gate/permissions',
      saved: { login: 'bob' },
    },
    {
      page: '/ui/user/bob/permission',
      table: 'Permissions',
      box: 'Gate: Download',
      call: 'POST /v1/user/bob/permissions',
      saved: { uid: 'gate', name: 'Gate' },
    },
    {
      page: '/ui/administration/groups/g1',
      table: 'Permissions',
      box: 'Gate: Download',
      call: 'PUT /v1/group/g1/permissions',
      saved: { streamId: 'gate', name: 'Gate' },
    },
  ]

  test.for(forms)('of $page withholds downloads', async ({ page, table, box, call, saved }, { server, visit }) => {
    announce(server, 'groups', 'download-right')
    server.answer('GET /v1/stream/gate/group-permissions', { json: { permissions: [] } })
    server.answer('GET /v1/user/bob/group-permissions', { json: { permissions: [] } })
    await visit(page)
    expect(await screen.findByRole('checkbox', { name: box })).toHaveProperty('checked', true)
    expect(await heads(table)).toEqual(expect.arrayContaining(columns))
    await press('checkbox', box)
    await until(() => expect(screen.getByRole('checkbox', { name: box })).toHaveProperty('checked', false))
    await press('button', 'Save')
    await until(() =>
      expect(bodyOf(server, call)).toEqual({ permissions: [{ ...saved, ...archive, canDownload: false }] }),
    )
  })

  test.for(forms)('of $page has three rights without the feature', async ({ page, table }, { server, visit }) => {
    announce(server, 'groups')
    server.answer('GET /v1/stream/gate/group-permissions', { json: { permissions: [] } })
    server.answer('GET /v1/user/bob/group-permissions', { json: { permissions: [] } })
    await visit(page)
    const shown = await heads(table)
    expect(columns.filter((column) => !shown.includes(column))).toEqual([columns[2]])
  })
})

test('downloads are withheld on all selected streams at once', async ({ server, visit }) => {
  const yard = { ...gate, uid: 'yard', name: 'Yard' }
  announce(server, 'download-right')
  server.answer('GET /v1/user/bob', { json: bob })
  server.answer('GET /v1/streams', { json: { items: [gate, yard], page: 1, pageSize: 50, total: 2 } })
  server.answer('GET /v1/user/bob/permissions', { json: { permissions: [] } })
  server.answer('POST /v1/user/bob/permissions', (request) => ({ json: request.postDataJSON() }))
  await visit('/ui/user/bob/permission')
  await screen.findByRole('checkbox', { name: 'Yard: Live' })
  await press('checkbox', 'Select all')
  await press('button', 'Allow: Archive')
  await press('button', 'Withdraw: Download')
  await press('button', 'Save')
  const watched = { ...archive, canDownload: false }
  await until(() =>
    expect(bodyOf(server, 'POST /v1/user/bob/permissions')).toEqual({
      permissions: [
        { uid: 'gate', name: 'Gate', ...watched },
        { uid: 'yard', name: 'Yard', ...watched },
      ],
    }),
  )
})

describe('the player', () => {
  const address = '/ui/stream/gate/view?in=2026-11-21T08:00:00.000Z&out=2026-11-21T08:05:00.000Z'
  const open = async (server: FakeServer, visit: (address: string) => Promise<void>, meta: object) => {
    vi.stubGlobal('MediaSource', { isTypeSupported: () => true })
    announce(server, 'exports', 'locks', 'download-right')
    server.answer('GET /v1/stream/gate', { json: { ...gate, meta: { ...gate.meta, ...meta } } })
    server.answer('GET /v1/stream/gate/archive/locks', { json: { items: [] } })
    await visit(address)
    const selection = await part('region', 'Selection')
    // Its code is loaded together with that of exports.
    await selection.findByRole('button', { name: 'Lock' })
    const names = (buttons: HTMLElement[]) => buttons.map((button) => button.getAttribute('aria-label'))
    return [names(selection.getAllByRole('button')), screen.queryAllByRole('button', { name: 'Download' }).length]
  }

  test('has buttons to download and export', async ({ server, visit }) => {
    expect(await open(server, visit, {})).toEqual([
      ['Loop', 'Download selection', 'Export', 'Lock', 'Clear selection'],
      1,
    ])
  })

  test('has none of them where the archive may not be downloaded', async ({ server, visit }) => {
    expect(await open(server, visit, { canDownload: false })).toEqual([['Loop', 'Lock', 'Clear selection'], 0])
  })
})
