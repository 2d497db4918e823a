// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { at, expect, fill, isDisabled, part, press, test, until } from './console.tsx'

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
