// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { createControllerState } from './controller-state.ts'
import type { ControllerReport } from './media-controller.ts'
import { reportPressedOutside } from './pressed-outside.ts'

afterEach(() => void vi.restoreAllMocks())

interface Given {
  paused: boolean
  isPlaying: boolean
  rate?: number
  ended?: boolean
  seeking?: boolean
  hidden?: boolean
  isFloating?: boolean
  isFollowing?: boolean
  isLoaded?: boolean
}

function reportsOf(given: Given): ControllerReport[] {
  const state = createControllerState()
  const reports: ControllerReport[] = []
  state.listen((report) => void reports.push(report))
  const video = document.createElement('video')
  for (const name of ['paused', 'ended', 'seeking'] as const)
    Object.defineProperty(video, name, { value: given[name] ?? false })
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(given.hidden ?? false)
  Object.defineProperty(document, 'pictureInPictureElement', {
    value: given.isFloating === true ? video : null,
    configurable: true,
  })
  state.attached = Object.assign(Object.create(null), { video })
  state.isLoaded = given.isLoaded ?? true
  Object.assign(state.requested, { isPlaying: given.isPlaying, rate: given.rate ?? 1 })
  reportPressedOutside(state, () => given.isFollowing ?? false)
  return reports
}

test('a press of Pause or Play outside of the page is requested of the machine', () => {
  expect(reportsOf({ paused: true, isPlaying: true })).toEqual([{ type: 'media.pauseRequested' }])
  expect(reportsOf({ paused: false, isPlaying: false })).toEqual([{ type: 'media.playRequested' }])
  const floating = { paused: true, isPlaying: true, hidden: true, isFloating: true }
  expect(reportsOf(floating)).toEqual([{ type: 'media.pauseRequested' }])
})

test.each<[string, Given]>([
  ['what the page has done itself', { paused: true, isPlaying: false }],
  ['a pause of a hidden page', { paused: true, isPlaying: true, hidden: true }],
  ['the end', { paused: true, isPlaying: true, ended: true }],
  ['a seek', { paused: true, isPlaying: true, seeking: true }],
  ['backwards', { paused: true, isPlaying: true, rate: -2 }],
  ['a shared clock', { paused: true, isPlaying: true, isFollowing: true }],
  ['a load', { paused: true, isPlaying: true, isLoaded: false }],
])('%s is no press', (_name, given) => {
  expect(reportsOf(given)).toEqual([])
})
