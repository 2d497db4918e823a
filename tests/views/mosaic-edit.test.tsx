// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { gate } from '../fixtures/fake-server.ts'
import { expect, press, test } from './console.tsx'

test('Ctrl Z takes back a change of the grid by the letter, wherever the keyboard has it', async ({
  server,
  visit,
}) => {
  server.answer('GET /v1/streams', { json: { items: [gate], page: 1, pageSize: 50, total: 1 } })
  await visit('/ui/create-mosaic')
  await press('button', 'Add Gate')
  const grid = await screen.findByRole('group', { name: 'Grid' })
  const tiles = () => screen.queryAllByRole('button', { name: /^Gate, column 1/ }).length
  expect(tiles()).toBe(1)
  fireEvent.keyDown(grid, { key: 'w', code: 'KeyZ', ctrlKey: true })
  expect(tiles()).toBe(1)
  fireEvent.keyDown(grid, { key: 'z', code: 'KeyW', ctrlKey: true })
  expect(tiles()).toBe(0)
})

test('a mosaic without a name is deleted by its id', async ({ server, visit }) => {
  const mosaic = { id: 'm1', meta: { canAdmin: true }, columns: 1, rows: 1, cells: [] }
  server.answer('GET /v1/mosaics', { json: { items: [mosaic] } })
  await visit('/ui/mosaics')
  await press('button', 'Delete m1')
  await screen.findByRole('alertdialog', { name: 'Delete “m1”?' })
})
