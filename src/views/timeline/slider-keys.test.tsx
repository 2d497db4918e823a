// @vitest-environment jsdom
import { cleanup, createEvent, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useSliderKeys } from './slider-keys.ts'

afterEach(cleanup)

const now = 1_000_000_000
const period = { from: now - 3_600_000, to: now }
const playing = now - 600_000

function Slider({ onSought }: { onSought: (at: number) => void }) {
  const onKeyDown = useSliderKeys({
    clock: () => playing,
    shown: () => ({ period, now, edge: now }),
    onSought,
    onZoomed: () => undefined,
  })
  return <div role="slider" aria-label="Timeline" aria-valuenow={0} tabIndex={0} onKeyDown={onKeyDown} />
}

test('a key starts from the playhead, also in the first second of the page; one soon after from its target', () => {
  const sought: number[] = []
  const slider = render(<Slider onSought={(at) => sought.push((at - playing) / 1000)} />).getByRole('slider')
  const press = (key: string, timeStamp: number) => {
    const event = createEvent.keyDown(slider, { key })
    Object.defineProperty(event, 'timeStamp', { value: timeStamp })
    fireEvent(slider, event)
  }
  press('ArrowRight', 500)
  press('ArrowRight', 900)
  press('ArrowLeft', 1900)
  expect(sought).toEqual([10, 20, -10])
})
