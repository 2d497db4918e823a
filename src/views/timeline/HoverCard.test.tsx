// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { timelineMachine } from '../../machines/timeline/timeline.machine.ts'
import { bandWords } from '../../../tests/views/timeline.ts'
import { HoverCard, type HoverHandle } from './HoverCard.tsx'

afterEach(() => vi.restoreAllMocks())

const now = Date.UTC(2026, 10, 21, 12)

const startTimeline = () =>
  createActor(timelineMachine, {
    input: { streamId: 'gate', rangesMaxSeconds: 3600, now, zone: 'UTC', period: { from: now - 1000, to: now } },
    clock: new SimulatedClock(),
  }).start()

test('it shows the moment under a pointer that rests while the timeline moves', () => {
  const actor = startTimeline()
  const hover = createRef<HoverHandle>()
  const { container, unmount } = render(<HoverCard ref={hover} actor={actor} words={bandWords} />)
  actor.send({ type: 'timeline.resized', width: 100 })
  hover.current?.show(50)
  const shown = [container.textContent]
  actor.send({ type: 'timeline.panned', to: now - 5000 })
  shown.push(container.textContent)
  hover.current?.show(null)
  actor.send({ type: 'timeline.panned', to: now - 9000 })
  shown.push(container.textContent)
  expect(shown).toEqual([now - 500, now - 4500, now - 4500].map(bandWords.momentText))
  unmount()
  actor.stop()
})

test('it needs no layout of the page', () => {
  const measured = vi.fn<() => number>(() => 100)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(measured)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockImplementation(measured)
  const actor = startTimeline()
  const hover = createRef<HoverHandle>()
  render(<HoverCard ref={hover} actor={actor} words={bandWords} />)
  actor.send({ type: 'timeline.resized', width: 100 })
  hover.current?.show(50)
  expect(measured).not.toHaveBeenCalled()
  cleanup()
  actor.stop()
})

test('it stays hidden until the width is known', () => {
  const actor = startTimeline()
  const hover = createRef<HoverHandle>()
  const { container, unmount } = render(<HoverCard ref={hover} actor={actor} words={bandWords} />)
  const isHidden = () => Array.from(container.children, (child) => child.hasAttribute('hidden'))
  hover.current?.show(50)
  const before = isHidden()
  actor.send({ type: 'timeline.resized', width: 100 })
  hover.current?.show(50)
  expect([before, isHidden()]).toEqual([
    [true, true],
    [false, false],
  ])
  unmount()
  actor.stop()
})
