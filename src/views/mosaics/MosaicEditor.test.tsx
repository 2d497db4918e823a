// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { act, cleanup, createEvent, fireEvent, render } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { type Grid, namedTiles } from '../../machines/mosaics/mosaic-grid.ts'
import { GridEditor } from './GridEditor.tsx'
import { TileTools } from './TileTools.tsx'

beforeEach(async () => {
  await activate('en')
  await loadMessages('pages')
})
afterEach(cleanup)

const gridOf = (...uids: string[]): Grid => ({
  columns: 2,
  rows: 1,
  cells: uids.map((streamUid, x) => ({ streamUid, x, y: 0, w: 1, h: 1 })),
})

function Editor({ initial }: { initial: Grid }) {
  const [grid, setGrid] = useState(initial)
  const [chosen, setChosen] = useState<string | null>('0.gate')
  const common = { grid, nameOf: (uid: string) => uid, onChange: setGrid }
  return (
    <I18nProvider i18n={i18n}>
      <GridEditor {...common} chosen={chosen} onChoose={setChosen} />
      <TileTools {...common} tile={namedTiles(grid).find(({ name }) => name === chosen)?.tile} />
    </I18nProvider>
  )
}

test('Delete on one of two tiles of a camera leads to the other', () => {
  const { getByRole } = render(<Editor initial={gridOf('gate', 'gate')} />)
  const first = getByRole('button', { name: 'gate, column 1, row 1, 1 by 1' })
  act(() => first.focus())
  fireEvent.keyDown(first, { key: 'Delete' })
  expect(document.activeElement?.getAttribute('aria-label')).toBe('gate, column 2, row 1, 1 by 1')
})

test('a tile is dragged by the cell at which the pointer holds it', () => {
  const { getByRole, queryByRole } = render(
    <Editor initial={{ columns: 4, rows: 4, cells: [{ streamUid: 'gate', x: 0, y: 0, w: 2, h: 2 }] }} />,
  )
  const grid = getByRole('group', { name: 'Grid' })
  vi.spyOn(grid, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 400, 400))
  const tile = getByRole('button', { name: 'gate, column 1, row 1, 2 by 2' })
  const drag = (type: 'dragStart' | 'drop', target: HTMLElement, clientX: number) => {
    const dataTransfer = { setData: () => undefined, getData: () => 'gate' }
    fireEvent(target, Object.assign(createEvent[type](target, { dataTransfer }), { clientX, clientY: 150 }))
  }
  drag('dragStart', tile, 150)
  drag('drop', grid, 250)
  expect(queryByRole('button', { name: 'gate, column 2, row 1, 2 by 2' })).not.toBeNull()
})

test('text that is dropped from elsewhere adds no tile', () => {
  const { getByRole, queryAllByRole } = render(<Editor initial={{ columns: 2, rows: 2, cells: [] }} />)
  const grid = getByRole('group', { name: 'Grid' })
  vi.spyOn(grid, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 400, 400))
  const drop = (data: Record<string, string>) => {
    const dataTransfer = { getData: (type: string) => data[type] ?? '' }
    fireEvent(grid, Object.assign(createEvent.drop(grid, { dataTransfer }), { clientX: 50, clientY: 50 }))
  }
  const tiles = () => queryAllByRole('button', { name: /1 by 1$/ })
  drop({ 'text/plain': 'hello', text: 'hello' })
  expect(tiles()).toHaveLength(0)
  drop({ 'application/x-sightline-stream': 'door' })
  expect(tiles()).toHaveLength(1)
})

test('the tools keep the focus when they remove their tile', () => {
  const { getByRole, getByText } = render(<Editor initial={gridOf('gate')} />)
  const remove = getByRole('group', { name: 'Selected tile' }).querySelector('[aria-label="Remove gate"]')
  if (!(remove instanceof HTMLElement)) throw new Error('no button')
  act(() => remove.focus())
  fireEvent.click(remove)
  expect(document.activeElement).toBe(getByText(/^Select a tile/))
})
