import { expect, test } from 'vitest'
import { isAsLarge } from './picture-size.ts'

const sound = { type: 'audio', codec: 'aac' }
const video = (width: number, height: number) => ({ type: 'video', codec: 'h264', width, height })

test('a substream is as large as the main stream by its pixels', () => {
  expect([
    isAsLarge([sound, video(640, 360)], [video(1920, 1080), sound]),
    isAsLarge([video(1920, 1080)], [video(1920, 1080)]),
    isAsLarge([video(704, 576)], [video(640, 480)]),
    isAsLarge([video(640, 360)], [sound]),
    isAsLarge([], [video(640, 360)]),
  ]).toEqual([false, true, true, false, false])
})
