// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { capabilitiesOf } from './capabilities.ts'
import { createScreen } from './screen.ts'

/** A `<video>` of a browser that has these. */
const videoOf = (own: object): HTMLVideoElement => Object.assign(document.createElement('video'), own)
const pageOf = (pictureInPictureEnabled: boolean): Document =>
  Object.assign(document.implementation.createHTMLDocument(), { pictureInPictureEnabled })
const noop = () => undefined

test('what a browser lets a player do', () => {
  const desktop = videoOf({ requestFullscreen: noop, requestPictureInPicture: noop })
  expect(capabilitiesOf(pageOf(true), desktop)).toEqual({ fillsScreen: 'element', floats: true, setsVolume: true })
  const iPad = Object.defineProperty(
    videoOf({ requestFullscreen: noop, webkitEnterFullscreen: noop, requestPictureInPicture: noop }),
    'volume',
    { get: () => 1, set: noop },
  )
  expect(capabilitiesOf(pageOf(true), iPad)).toEqual({ fillsScreen: 'element', floats: true, setsVolume: false })
  const iPhone = Object.defineProperty(
    videoOf({ webkitEnterFullscreen: noop, requestPictureInPicture: noop }),
    'volume',
    { get: () => 1, set: noop },
  )
  expect(capabilitiesOf(pageOf(false), iPhone)).toEqual({ fillsScreen: 'video', floats: false, setsVolume: false })
  expect(capabilitiesOf(pageOf(true), videoOf({}))).toEqual({ fillsScreen: 'none', floats: false, setsVolume: true })
})

test('where a <video> alone fills the screen, the one in the element does, and its own events tell of it', () => {
  const [webkitEnterFullscreen, webkitExitFullscreen] = [vi.fn(), vi.fn()]
  const video = videoOf({ webkitEnterFullscreen, webkitExitFullscreen })
  const region = document.body.appendChild(document.createElement('section'))
  const other = document.body.appendChild(document.createElement('video'))
  region.append(video)
  const screen = createScreen('video')
  const letGo = screen.attach(region)
  const reported: boolean[] = []
  const stop = screen.listen((isFull) => reported.push(isFull))
  screen.fill()
  expect(webkitEnterFullscreen).toHaveBeenCalledOnce()
  other.dispatchEvent(new Event('webkitbeginfullscreen'))
  video.dispatchEvent(new Event('webkitbeginfullscreen'))
  screen.leave()
  expect(webkitExitFullscreen).toHaveBeenCalledOnce()
  video.dispatchEvent(new Event('webkitendfullscreen'))
  expect(reported).toEqual([true, false])
  stop()
  video.dispatchEvent(new Event('webkitbeginfullscreen'))
  expect(reported).toEqual([true, false])
  letGo()
  screen.fill()
  expect(webkitEnterFullscreen).toHaveBeenCalledOnce()
})

test('a <video> that has nothing to show yet refuses, and a browser without full screen does nothing', () => {
  const refuse = () => {
    throw new DOMException('no metadata', 'InvalidStateError')
  }
  const region = document.createElement('section')
  region.append(videoOf({ webkitEnterFullscreen: refuse }))
  for (const way of ['video', 'none'] as const) {
    const screen = createScreen(way)
    screen.attach(region)
    expect(() => screen.fill()).not.toThrow()
    expect(() => screen.leave()).not.toThrow()
  }
})
