// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { maskData, maskedCapabilities } from './masked.ts'
import { MaskOverlay } from './MaskOverlay.tsx'
import { Picture } from './Picture.tsx'

afterEach(cleanup)

const masks = [{ x: 0.1, y: 0.2, w: 0.3, h: 0.4 }]

test('lies over the picture of the video beside it, whatever shape that gets', () => {
  const { container } = render(
    <div>
      <video>
        <track kind="captions" />
      </video>
      <MaskOverlay masks={masks} className="masks" />
    </div>,
  )
  const [video, layer, rect] = ['video', 'svg', 'rect'].map((name) => container.querySelector(name))
  expect(['x', 'y', 'width', 'height'].map((name) => rect?.getAttribute(name))).toEqual(['10%', '20%', '30%', '40%'])
  for (const [videoWidth, videoHeight] of [
    [1920, 1080],
    [704, 576],
  ]) {
    for (const [name, value] of Object.entries({ videoWidth, videoHeight }))
      Object.defineProperty(video, name, { configurable: true, value })
    video?.dispatchEvent(new Event('resize'))
    expect(layer?.getAttribute('viewBox')).toBe(`0 0 ${videoWidth} ${videoHeight}`)
  }
})

test('without masks there is nothing', () => {
  const { container } = render(<MaskOverlay masks={[]} className="masks" />)
  expect([container.innerHTML, maskData([])]).toEqual(['', undefined])
})

test('with masks the bare video leaves the page neither by picture-in-picture nor by the full screen of a phone', () => {
  const phone = { fullScreen: 'video', hasPictureInPicture: true, hasVolume: false } as const
  const desktop = { fullScreen: 'element', hasPictureInPicture: true, hasVolume: true } as const
  expect(maskedCapabilities(phone, masks)).toEqual({ ...phone, fullScreen: 'none', hasPictureInPicture: false })
  expect(maskedCapabilities(desktop, masks)).toEqual({ ...desktop, hasPictureInPicture: false })
  expect(maskedCapabilities(phone, [])).toBe(phone)
})

test.each([
  ['en', 1, '1 privacy mask covers part of the picture'],
  ['ru', 3, '3 маски приватности закрывают части изображения'],
  ['en', 0, ''],
])('in %s screen readers are told of %i masks: %s', async (language, count, words) => {
  await activate(language)
  await loadMessages('pages')
  const nothing = () => undefined
  const { container } = render(
    <I18nProvider i18n={i18n}>
      <Picture
        controller={{ attach: () => nothing, togglePictureInPicture: nothing }}
        frameRef={nothing}
        zoomRef={nothing}
        isMagnified={false}
        masks={masks.flatMap((mask) => Array.from({ length: count }, () => mask))}
      />
    </I18nProvider>,
  )
  expect(container.textContent).toBe(words)
})
