// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { wrapper } from '../../../tests/views/wrapper.tsx'
import { i18n } from '../../i18n/i18n.ts'
import { Chart } from './Chart.tsx'

beforeEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

const hour = 3_600_000
const range = { from: Date.UTC(2026, 10, 21, 8), to: Date.UTC(2026, 10, 21, 14) }
const points = [6, 8, 14].map((at) => [Date.UTC(2026, 10, 21, at), at] as const)

const open = (sharedCursor: number) => {
  const onSpan = vi.fn<() => void>()
  render(
    <Chart
      title="Processor"
      lines={[{ id: 'cpu', label: 'CPU', tone: 'first', points }]}
      unit="percent"
      whole={100}
      range={range}
      latest={range.to}
      sharedCursor={sharedCursor}
      helpId=""
      onCursor={() => undefined}
      onSpan={onSpan}
      onBack={() => undefined}
    />,
    { wrapper },
  )
  const plot = screen.getByRole('slider', { name: 'Processor' })
  fireEvent.keyDown(plot, { key: '+' })
  return {
    onSpan,
    shown: [
      plot.getAttribute('aria-valuetext')?.split(': ')[1],
      screen.getAllByRole('columnheader')[1]?.textContent,
      screen.getAllByRole('cell')[0]?.textContent,
    ],
  }
}

test('the values are those at the cursor, around which a key zooms', () => {
  const { onSpan, shown } = open(range.from)
  expect(shown).toEqual(['CPU 8%', 'At cursor', '8%'])
  expect(onSpan).toHaveBeenCalledWith({ kind: 'between', from: range.from, to: range.from + 4 * hour })
})

test('with a cursor outside the period they are the last values, and a key zooms around its end', () => {
  const { onSpan, shown } = open(range.from - 2 * hour)
  expect(shown).toEqual(['CPU 14%', 'Last', '14%'])
  expect(onSpan).toHaveBeenCalledWith({ kind: 'between', from: range.to - 4 * hour, to: range.to })
})
