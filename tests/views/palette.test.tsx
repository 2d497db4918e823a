// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { reader } from '../fixtures/fake-server.ts'
import { expect, fill, holds, notifications, part, press, test, textsOf, until } from './console.tsx'

const box = 'Where to go'

test('a search that fails is told, and keeps what is typed and the pages', async ({ server, visit }) => {
  server.answer('GET /v1/system/search', { status: 503, json: { code: 'Unavailable' } })
  await visit('/ui/help')
  await press('button', 'Go to…')
  await fill(box, 'users')
  const alert = await (await part('dialog')).findByRole('alert')
  expect(alert.textContent).toContain('Unavailable')
  await (await notifications()).findByText(/Unavailable/)
  const options = (...texts: string[]) => until(() => expect(textsOf(screen.getAllByRole('option'))).toEqual(texts))
  await options('Users')
  server.answer('GET /v1/system/search', { json: { users: [{ name: 'users-keeper' }] } })
  await press('button', 'Try again')
  await options('users-keeper', 'Users')
  await holds(box, 'users')
})

test('a reader is offered no page of administrators, and no times away from a stream', async ({ server, visit }) => {
  server.answer('GET /v1/user', { json: reader })
  server.answer('GET /v1/system/search', { json: { streams: [], mosaics: [], users: [] } })
  await visit('/ui/help')
  await press('button', 'Go to…')
  for (const words of ['audit', 'yesterday 14:05']) {
    await fill(box, words)
    await until(() => expect(textsOf(screen.getAllByRole('status')).join()).toContain('No matches'))
  }
})
