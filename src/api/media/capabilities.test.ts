// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { capabilitiesOf } from './capabilities.ts'
import { createFullScreen } from './full-screen.ts'

/** A `<video>` of a browser that has these. */
const videoOf = (own: object): HTMLVideoElement => Object.assign(document.createElement('video'), own)
const pageOf = (pictureInPictureEnabled: boolean): Document =>
  Object.assign(document.implementation.createHTMLDocument(), { pictureInPictureEnabled })
const noop = () => undefined

test('detects what a browser can do with a video', () => {
  const desktop = videoOf({ requestFullscreen: noop, requestPictureInPicture: noop })
  expect(capabilitiesOf(pageOf(true), desktop)).toEqual({
    fullScreen: 'element',
    hasPictureInPicture: true,
    hasVolume: true,
  })
  const iPad = Object.defineProperty(
    videoOf({ requestFullscreen: noop, webkitEnterFullscreen: noop, requestPictureInPicture: noop }),
    'volume',
    { get: () => 1, set: noop },
  )
  expect(capabilitiesOf(pageOf(true), iPad)).toEqual({
    fullScreen: 'element',
    hasPictureInPicture: true,
    hasVolume: false,
  })
  const iPhone = Object.defineProperty(
    videoOf({ webkitEnterFullscreen: noop, requestPictureInPicture: noop }),
    'volume',
    { get: () => 1, set: noop },
  )
  expect(capabilitiesOf(pageOf(false), iPhone)).toEqual({
    fullScreen: 'video',
    hasPictureInPicture: false,
    hasVolume: false,
  })
  expect(capabilitiesOf(pageOf(true), videoOf({}))).toEqual({
    fullScreen: 'none',
    hasPictureInPicture: false,
    hasVolume: true,
  })
})

test('on iPhones the <video> in the element goes full screen and its own events report it', () => {
  const [webkitEnterFullscreen, webkitExitFullscreen] = [vi.fn(), vi.fn()]
  const video = videoOf({ webkitEnterFullscreen, webkitExitFullscreen })
  const region = document.body.appendChild(document.createElement('section'))
  const other = document.body.appendChild(document.createElement('video'))
  region.append(video)
  const screen = createFullScreen('video')
  const detach = screen.attach(region)
  const reported: boolean[] = []
  const stop = screen.listen((isFull) => reported.push(isFull))
  screen.enter()
  expect(webkitEnterFullscreen).toHaveBeenCalledOnce()
  other.dispatchEvent(new Event('webkitbeginfullscreen'))
  video.dispatchEvent(new Event('webkitbeginfullscreen'))
  screen.exit()
  expect(webkitExitFullscreen).toHaveBeenCalledOnce()
  video.dispatchEvent(new Event('webkitendfullscreen'))
  expect(reported).toEqual([true, false])
  stop()
  video.dispatchEvent(new Event('webkitbeginfullscreen'))
  expect(reported).toEqual([true, false])
  detach()
  screen.enter()
  expect(webkitEnterFullscreen).toHaveBeenCalledOnce()
})

test('nothing throws before the video has loaded, nor in a browser without full screen', () => {
  const refuse = () => {
    throw new DOMException('no metadata', 'InvalidStateError')
  }
  const region = document.createElement('section')
  region.append(videoOf({ webkitEnterFullscreen: refuse }))
  for (const way of ['video', 'none'] as const) {
    const screen = createFullScreen(way)
    screen.attach(region)
    expect(() => screen.enter()).not.toThrow()
    expect(() => screen.exit()).not.toThrow()
  }
})
