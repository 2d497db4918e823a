// @vitest-environment jsdom
import { createEvent, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { i18n } from '../../i18n/i18n.ts'
import type { StatsSpan } from '../../machines/administration/stats-span.ts'
import { Plot } from './Plot.tsx'

beforeEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

const range = { from: Date.UTC(2026, 10, 21, 8), to: Date.UTC(2026, 10, 21, 14) }

function open(shown = range) {
  const onSpan = vi.fn<(span: StatsSpan) => void>()
  const onCursor = vi.fn<(at: number | null) => void>()
  render(
    <Plot
      label="Processor"
      lines={[]}
      unit="%"
      top={100}
      range={shown}
      latest={shown.to}
      cursor={null}
      valueText=""
      helpId=""
      onCursor={onCursor}
      onSpan={onSpan}
      onBack={() => undefined}
    />,
  )
  const plot = screen.getByRole('slider', { name: 'Processor' })
  const fire = (event: Event, timeStamp: number) =>
    fireEvent(plot, Object.defineProperty(event, 'timeStamp', { value: timeStamp }))
  return {
    onSpan,
    onCursor,
    turn: (wheel: { deltaX?: number; deltaY?: number }, at: number) =>
      fire(createEvent.wheel(plot, { ctrlKey: true, ...wheel }), at),
    hold: (key: string, at: number) => fire(createEvent.keyDown(plot, { key, repeat: true }), at),
  }
}

test('the wheel changes the period at most every 150 ms', () => {
  const { onSpan, turn } = open()
  const changes = [1000, 1001, 1149, 1150, 1299, 1300].map((at) => {
    turn({ deltaY: 4 }, at)
    return onSpan.mock.calls.length
  })
  expect(changes).toEqual([1, 1, 1, 2, 2, 3])
})

test('a horizontal wheel changes nothing, and does not delay a vertical one', () => {
  const { onSpan, turn } = open()
  turn({ deltaX: 4 }, 1000)
  expect(onSpan).not.toHaveBeenCalled()
  turn({ deltaY: 4 }, 1001)
  expect(onSpan).toHaveBeenCalledOnce()
})

test.each(['PageUp', 'PageDown', '+', '-'])('%s, held, changes the period at most every 150 ms', (key) => {
  const { onSpan, hold } = open()
  for (const at of [1000, 1030, 1149, 1150, 1180]) hold(key, at)
  expect(onSpan).toHaveBeenCalledTimes(2)
})

test('a held arrow key moves the cursor each time', () => {
  const { onCursor, hold } = open()
  for (const at of [1000, 1030, 1060]) hold('ArrowLeft', at)
  expect(onCursor).toHaveBeenCalledTimes(3)
})

test('after a change of the clocks the ticks are at local midnight, too', () => {
  const change = Date.UTC(2026, 2, 29, 1)
  const offset = vi.spyOn(Date.prototype, 'getTimezoneOffset').mockImplementation(function offsetOf(this: Date) {
    return this.getTime() < change ? -60 : -120
  })
  onTestFinished(() => offset.mockRestore())
  const from = Date.UTC(2026, 2, 27)
  const length = 4 * 86_400_000
  open({ from, to: from + length })
  const moments = [...document.querySelectorAll('time')].map(({ style }) =>
    new Date(Math.round(from + (parseFloat(style.left) / 100) * length)).toISOString(),
  )
  expect(moments).toEqual(['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'])
})
