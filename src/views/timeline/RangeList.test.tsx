// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { supplement } from '../../../tests/views/supplement.ts'
import { RangeList } from './RangeList.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  supplement()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const momentsFrom = (first: number): TimeRange[] =>
  Array.from({ length: 10 - first }, (_, index) => ({ from: (first + index) * 60_000, to: (first + index) * 60_000 }))
const words = { time: { day: () => 1 }, dateText: () => 'today' }
const state = { at: 60_000 }

const list = (ranges: readonly TimeRange[]) => (
  <>
    <RangeList
      label="Moments"
      ranges={ranges}
      clock={() => state.at}
      words={Object.assign(Object.create(null), words)}
      isPickable={() => true}
      onPick={() => undefined}
    >
      {({ from }) => `minute ${from / 60_000}`}
    </RangeList>
    <input aria-label="Note" />
  </>
)
const button = (minute: number) => screen.getByRole('button', { name: `minute ${minute}` })
const focus = (element: HTMLElement) => act(() => element.focus())
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })

test('a key that leads nowhere leaves the focus to what gets it next', () => {
  const { rerender } = render(list(momentsFrom(7)))
  fireEvent.click(button(9))
  focus(button(9))
  press('End')
  focus(screen.getByLabelText('Note'))
  rerender(list(momentsFrom(7)))
  expect(document.activeElement).toBe(screen.getByLabelText('Note'))
})

test('the arrow keys go on from the focus, wherever the playhead is', () => {
  state.at = 60_000
  render(list(momentsFrom(0)))
  focus(button(1))
  state.at = 5 * 60_000
  act(() => void vi.advanceTimersByTime(250))
  press('ArrowDown')
  expect(document.activeElement).toBe(button(2))
})

test('the focus stays on its range when earlier ones leave', () => {
  const { rerender } = render(list(momentsFrom(0)))
  const third = button(3)
  focus(third)
  rerender(list(momentsFrom(1)))
  expect([document.activeElement, button(3)]).toEqual([third, third])
  press('ArrowDown')
  expect(document.activeElement).toBe(button(4))
})
