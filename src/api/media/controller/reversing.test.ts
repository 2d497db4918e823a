// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { patience } from '../../../../tests/fixtures/patience.ts'
import { createControllerState } from './controller-state.ts'
import type { ControllerReport } from './media-controller.ts'
import { createReversing } from './reversing.ts'

vi.mock('./reverse-playback.ts', () => ({
  playSourceBackwards: async () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  },
}))

test('code that cannot be loaded is a failure of the network, not playback that stands still', async () => {
  const state = createControllerState()
  const reports: ControllerReport[] = []
  state.listen((report) => reports.push(report))
  state.isLoaded = true
  Object.assign(state.requested, { source: { kind: 'archive', uid: 'gate', from: 0, to: 60_000 }, isPlaying: true })
  state.requested.rate = -1
  const video = { seeking: false, currentTime: 4 }
  state.attached = Object.assign(Object.create(null), { video, frames: { mediaTime: () => 4 } })
  const reversing = createReversing(state)
  reversing.update()
  await vi.waitUntil(() => reports.length > 1, patience)
  expect(reports).toEqual([{ type: 'engine.played' }, { type: 'engine.failed', failure: 'network', at: null }])
  expect(reversing.isRunning()).toBe(false)
})
