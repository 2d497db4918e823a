// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import { gate, settings } from '../fixtures/fake-server.ts'
import { at, bodyOf, expect, field, fill, holds, isDisabled, part, press, test, textsOf, until } from './console.tsx'

test('unsaved work of the form asks before a way of leaving, also while a list is shown', async ({ visit }) => {
  await visit('/ui/add-stream')
  await fill('Name', 'Gate')
  await press('button', 'Several at once')
  await press('link', 'All streams', await part('navigation', 'Toolbar'))
  await press('button', 'Leave', await part('alertdialog', 'Leave without saving?'))
  await at('/ui/streams')
})

test('unsaved work asks on the page of a licence that has ended', async ({ server, visit }) => {
  server.answer('POST /v1/stream', { status: 403, json: { code: 'LicenseExpired' } })
  await visit('/ui/add-stream')
  await fill('Name', 'Gate')
  await fill('Stream source', 'rtsp://cam/1')
  await press('button', 'Add stream', await part('main'))
  await press('link', 'Upload a license')
  await press('button', 'Leave', await part('alertdialog', 'Leave without saving?'))
  await at('/ui/administration/license')
})

test('while a stream is added there is no list', async ({ server, visit }) => {
  const held = Promise.withResolvers<void>()
  server.answer('POST /v1/stream', async () => {
    await held.promise
    return { status: 409, json: { code: 'AlreadyUsed' } }
  })
  await visit('/ui/add-stream')
  await fill('Name', 'Gate')
  await fill('Stream source', 'rtsp://cam/1')
  await press('button', 'Add stream', await part('main'))
  const several = await screen.findByRole('button', { name: 'Several at once' })
  await until(() => expect(isDisabled(several)).toBe(true))
  held.resolve()
  await until(() => expect(isDisabled(several)).toBe(false))
})

test('while a list is added there is no form', async ({ server, visit }) => {
  const held = Promise.withResolvers<void>()
  server.answer('POST /v1/stream', async () => {
    await held.promise
    return { json: { uid: 'gate' } }
  })
  await visit('/ui/add-stream')
  await press('button', 'Several at once')
  await fill('List of streams', 'Gate, rtsp://cam/1')
  await press('button', 'Add 1 stream')
  const one = await screen.findByRole('button', { name: 'One stream' })
  await until(() => expect(isDisabled(one)).toBe(true))
  held.resolve()
  await until(() => expect(isDisabled(one)).toBe(false))
})

test('one login and password serve all lines of a list that have none', async ({ server, visit }) => {
  server.answer('POST /v1/stream', { json: { uid: 'gate' } })
  await visit('/ui/add-stream')
  await press('button', 'Several at once')
  await fill('List of streams', 'Gate, rtsp://cam/1')
  await fill('Login', 'ann')
  await fill('Password', 'x#1')
  await press('button', 'Add 1 stream')
  await until(() =>
    expect(bodyOf(server, 'POST /v1/stream')).toMatchObject({ name: 'Gate', streamSource: 'rtsp://ann:x%231@cam/1' }),
  )
})

test('the table of a list hides passwords, whatever is in them', async ({ visit }) => {
  await visit('/ui/add-stream')
  await press('button', 'Several at once')
  await fill('List of streams', 'Gate, rtsp://ann:p@ss@cam/1\nYard, rtsp://ann:a/b@cam/2')
  const table = await part('table', 'List of streams')
  expect(textsOf(table.getAllByText(/^rtsp:/))).toEqual(['rtsp://ann:***@cam/1', 'rtsp://ann:***@cam/2'])
})

test('offers the nodes of a cluster, and leaves the choice to the server', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, clusterEnabled: true, nodeId: 'a' } })
  server.answer('GET /v1/system/internal/ui/nodes', {
    json: { items: [{ id: 'a', name: 'Attic', available: true }] },
  })
  server.answer('POST /v1/stream', { json: gate })
  await visit('/ui/add-stream')
  await fill('Stream source', 'rtsp://cam.example/gate')
  await fill('Name', 'Gate')
  await screen.findByRole('option', { name: 'Attic' })
  await holds('Node', '')
  await fill('Node', 'a')
  await holds('Node', 'a')
  expect(textsOf(within(await field('Node')).getAllByRole('option'))).toEqual(['Any', 'Attic'])
  await fill('Node', '')
  await press('button', 'Add stream', await part('main'))
  await until(() => expect(bodyOf(server, 'POST /v1/stream')).toMatchObject({ name: 'Gate' }))
  expect(bodyOf(server, 'POST /v1/stream')).not.toHaveProperty('node')
})
