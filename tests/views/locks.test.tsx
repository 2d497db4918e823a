// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { gate, settings } from '../fixtures/fake-server.ts'
import { at, expect, part, press, test, textsOf, until } from './console.tsx'

test('deleting a stream with locked recordings names them and asks again', async ({ server, visit }) => {
  const locks = ['Theft', 'Accident'].map((reason) => ({ reason, startTime: '', endTime: '' }))
  server.answer('GET /v1/stream/gate', { json: gate })
  server.answer('GET /v1/stream/gate/archive/stats', { json: {} })
  server.answer('DELETE /v1/stream/gate', ({ url }) =>
    new URL(url()).searchParams.get('unlock') === 'true'
      ? {}
      : { status: 409, json: { code: 'ActionNotAcceptable', details: { locks } } },
  )
  const asked = () => server.calls.filter((call) => call.startsWith('DELETE'))
  await visit('/ui/stream/gate/info')
  await press('button', 'Delete')
  await press('button', 'Delete', await part('alertdialog', 'Delete “Gate”?'))
  const again = await part('alertdialog', 'Delete locked recordings of “Gate”?')
  expect(textsOf(again.getAllByRole('listitem'))).toEqual(['Theft', 'Accident'])
  await press('button', 'Cancel', again)
  await until(() => expect(screen.queryByRole('alertdialog')).toBeNull())

  await press('button', 'Delete')
  await press('button', 'Delete', await part('alertdialog', 'Delete “Gate”?'))
  const last = await part('alertdialog', 'Delete locked recordings of “Gate”?')
  fireEvent.click(last.getByRole('checkbox', { name: 'Delete the locked recordings, too' }))
  await press('button', 'Delete', last)
  await at('/ui/streams')
  expect(asked()).toEqual([
    'DELETE /v1/stream/gate?purge=true',
    'DELETE /v1/stream/gate?purge=true',
    'DELETE /v1/stream/gate?purge=true&unlock=true',
  ])
})

test('deleting what a deleted stream left names its locked recordings and asks again', async ({ server, visit }) => {
  let items = [{ uid: 'old', name: 'Old gate', bytes: 2_000_000_000 }]
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['recordings'] } })
  server.answer('GET /v1/system/stats', { json: { cpuPercent: 12 } })
  server.answer('GET /v1/admin/stats', { json: { series: [] } })
  server.answer('GET /v1/admin/recordings', () => ({ json: { items } }))
  server.answer('DELETE /v1/admin/recordings/old', ({ url }) => {
    if (new URL(url()).searchParams.get('unlock') !== 'true')
      return { status: 409, json: { code: 'ActionNotAcceptable', details: { locks: [{ reason: 'Theft' }] } } }
    items = []
    return {}
  })
  await visit('/ui/administration/stats')
  const row = await part('row', /Old gate/)
  await press('button', 'Delete', row)
  await press('button', 'Delete', await part('alertdialog', 'Delete the recordings of Old gate?'))
  const again = await part('alertdialog', 'Delete locked recordings of “Old gate”?')
  expect(textsOf(again.getAllByRole('listitem'))).toEqual(['Theft'])
  await press('button', 'Cancel', again)
  await until(() => expect(screen.queryByRole('alertdialog')).toBeNull())

  await press('button', 'Delete', row)
  await press('button', 'Delete', await part('alertdialog', 'Delete the recordings of Old gate?'))
  const last = await part('alertdialog', 'Delete locked recordings of “Old gate”?')
  fireEvent.click(last.getByRole('checkbox', { name: 'Delete the locked recordings, too' }))
  await press('button', 'Delete', last)
  await until(() => expect(screen.queryByText('Old gate')).toBeNull())
  expect(server.calls.filter((call) => call.startsWith('DELETE'))).toEqual([
    'DELETE /v1/admin/recordings/old',
    'DELETE /v1/admin/recordings/old',
    'DELETE /v1/admin/recordings/old?unlock=true',
  ])
})
