import { expect, test } from 'vitest'
import { cellsOver, missingCells, withChunks } from './chunks.ts'

const cellMs = 600_000
const chunksOver = (from: number, to: number) =>
  cellsOver({ from, to }, cellMs).map((cell) => ({ ...cell, content: null, loadedAt: 0, isStale: false }))

test('of too many chunks those that a search loads far from the period stay, with those beside them', () => {
  const period = { from: 9000 * cellMs, to: 9144 * cellMs }
  const around = chunksOver(8772 * cellMs, 9372 * cellMs)
  const [first = [], second = []] = [0, 1].map((index) => chunksOver(index * cellMs, (index + 1) * cellMs))
  const kept = withChunks(withChunks(around, first, period), second, period)
  expect(kept).toHaveLength(600)
  expect(kept).toEqual(expect.arrayContaining([...first, ...second]))
})

test('no chunk that the period needs is dropped, however many there are', () => {
  const minute = 60_000
  const period = { from: 0, to: 1200 * minute }
  const needed = cellsOver({ from: -300 * minute, to: 1500 * minute }, minute)
  const chunks = needed.map((cell) => ({ ...cell, content: null, loadedAt: 0, isStale: false }))
  const [last] = chunks.slice(-1)
  const kept = withChunks(chunks.slice(0, -1), last === undefined ? [] : [last], period)
  expect(missingCells(needed, kept)).toEqual([])
})
