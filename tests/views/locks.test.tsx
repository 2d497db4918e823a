// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { gate } from '../fixtures/fake-server.ts'
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
