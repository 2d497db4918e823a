import { join } from 'node:path'
import { expect, test } from 'vitest'
import { archiveOf, bytesOf } from '../fixtures/playlists.ts'
import { minuteAround, recordedOneAfterAnother } from '../fixtures/recordings.ts'
import { h265, makeTape, tapes } from '../fixtures/tapes.ts'
import { decoded, widthsOf } from '../fixtures/video.ts'

test('a download goes on where an H.265 camera changed its size', async () => {
  const folder = tapes()
  const { video, uid } = await recordedOneAfterAnother([
    makeTape(join(folder, 'first.mp4'), { size: '320x180', video: h265(25) }),
    makeTape(join(folder, 'second.mp4'), { size: '640x360', video: h265(25) }),
  ])
  const whole = await bytesOf(video, `${archiveOf(uid)}download?${minuteAround()}`)
  expect(decoded(whole)).toBe('')
  const widths = widthsOf(whole)
  const [small, large] = [320, 640].map((width) => widths.filter((each) => each === width).length)
  expect(widths).toEqual([
    ...Array.from({ length: small ?? 0 }, () => 320),
    ...Array.from({ length: large ?? 0 }, () => 640),
  ])
  expect([small, large].map((count) => (count ?? 0) >= 50)).toEqual([true, true])
})
