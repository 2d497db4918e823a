import { expect, test } from 'vitest'
import { createPolledParts } from './polled-parts.ts'
import { readPlaylist } from './playlist.ts'

const inParts = (control: string) => `#EXTM3U
#EXT-X-TARGETDURATION:4
#EXT-X-SERVER-CONTROL:${control}PART-HOLD-BACK=1.444
#EXT-X-PART-INF:PART-TARGET=0.361
#EXT-X-PROGRAM-DATE-TIME:2026-11-27T12:00:00.000Z
#EXT-X-PART:DURATION=0.36,URI="part/1.m4s",INDEPENDENT=YES
#EXTINF:4.0,
live/1.m4s
#EXT-X-PROGRAM-DATE-TIME:2026-11-27T12:00:04.000Z
#EXT-X-PART:DURATION=0.36,URI="part/12.m4s",INDEPENDENT=YES
`
const polled = inParts('')

/** Reads the same text repeatedly. */
const readingAgain = (text: string, ms: number) => {
  const read = createPolledParts()
  return () => read(text, ms)
}

test('parts are left out for good once five reloads in a row were slow', () => {
  const read = createPolledParts()
  const times = [301, 301, 301, 301, 20, 301, 301, 301, 301]
  expect(times.map((ms) => read(polled, ms))).toEqual(times.map(() => polled))
  const whole = [301, 20, 20].map((ms) => read(polled, ms))
  expect(new Set(whole)).toHaveLength(1)
  expect(whole[0]).not.toMatch(/PART|SERVER-CONTROL/)
  expect(readPlaylist(whole[0] ?? '')).toMatchObject({
    hasParts: false,
    segments: [{ durationSeconds: 4, utc: Date.parse('2026-11-27T12:00:00Z') }],
  })
})

test('longer parts leave more time for a reload', () => {
  const long = polled.replace('PART-TARGET=0.361', 'PART-TARGET=1.001')
  const read = (ms: number) => Array.from({ length: 6 }, readingAgain(long, ms)).at(-1)
  expect([read(800) === long, read(850) === long]).toEqual([true, false])
})

test('a server that delays reloads itself, and a playlist without parts, are left as they are', () => {
  for (const text of [inParts('CAN-BLOCK-RELOAD=YES,'), polled.replaceAll(/^#EXT-X-PART:.*\n/gm, '')]) {
    const read = createPolledParts()
    expect([1, 2, 3, 4, 5, 6].map(() => read(text, 3000))).toEqual(Array.from({ length: 6 }, () => text))
  }
})
