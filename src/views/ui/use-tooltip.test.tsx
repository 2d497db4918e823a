// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useTooltip } from './use-tooltip.ts'

vi.mock('./overlays.ts', () => ({ overlays: { loaded: {}, load: async () => ({}) } }))

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function Tipped({ name }: { name: string }) {
  const { isOpen, events } = useTooltip()
  return (
    <button type="button" data-open={isOpen} {...events}>
      {name}
    </button>
  )
}

test('from one tooltip to the next there is no delay, however long the pointer rests', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const names = ['Earlier', 'Centre', 'Later']
  render(names.map((name) => <Tipped key={name} name={name} />))
  const buttons = names.map((name) => screen.getByRole('button', { name }))
  const restOn = (name: string, ms: number) => {
    for (const button of buttons) fireEvent.pointerLeave(button)
    fireEvent.pointerMove(screen.getByRole('button', { name }))
    act(() => vi.advanceTimersByTime(ms))
  }
  const open = () => buttons.filter(({ dataset }) => dataset['open'] === 'true').map(({ textContent }) => textContent)
  restOn('Earlier', 499)
  expect(open()).toEqual([])
  act(() => vi.advanceTimersByTime(1))
  expect(open()).toEqual(['Earlier'])
  restOn('Centre', 5000)
  expect(open()).toEqual(['Centre'])
  restOn('Later', 0)
  expect(open()).toEqual(['Later'])
})
