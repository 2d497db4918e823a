import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { overlayFilter, utc } from '../../../server/exports/overlay.ts'
import { zoneOffsets } from '../../../server/time-zone.ts'

const autumn = Date.parse('2026-10-25T01:00:00Z')
const spring = Date.parse('2026-03-29T01:00:00Z')
const [width, height] = [640, 720]
/** How high a line of text is with its box. */
const lineHeight = 36

/**
 * Whether two frames 40 ms apart show the given times: each is drawn as the name, too, whose line has the same style
 * and is below that of the time.
 */
const areShown = (start: number, zone: string, expected: readonly [string, string]): boolean[] => {
  const offsets = zone === 'UTC' ? utc : zoneOffsets(zone, start, start + 2000)
  const [one, other] = expected.map((text) => overlayFilter(text, start / 1000, offsets))
  const graph = `split[a][b];[a]${one}[c];[b]${other}[d];[c][d]vstack,format=gray`
  const source = ['-v', 'error', '-f', 'lavfi', '-i', `color=s=${width}x${height}:r=25:d=0.08`]
  const args = [...source, '-vf', graph, '-f', 'rawvideo', 'pipe:1']
  const { stdout, stderr } = spawnSync('ffmpeg', args, { maxBuffer: 1e7 })
  expect(stderr.toString()).toBe('')
  const line = (from: number) => stdout.subarray(from * width, (from + lineHeight) * width)
  return [0, 3].map((picture) => {
    const [time, name] = [line(picture * height + 13), line(picture * height + 53)]
    return name.includes(0xff) && time.equals(name)
  })
}

test.each<[zone: string, change: number, before: string, after: string]>([
  ['Europe/Berlin', autumn, '2026-10-25 02:59:59.960 +02:00', '2026-10-25 02:00:00.000 +01:00'],
  ['Europe/Berlin', spring, '2026-03-29 01:59:59.960 +01:00', '2026-03-29 03:00:00.000 +02:00'],
  ['UTC', autumn, '2026-10-25 00:59:59.960 UTC', '2026-10-25 01:00:00.000 UTC'],
])('the time drawn is that of %s, with its offset on each side of a change', (zone, change, before, after) => {
  expect(areShown(change - 40, zone, [before, after])).toEqual([true, true])
})

test('the offsets of a range are those before and after each change in it', () => {
  const year = zoneOffsets('Europe/Berlin', Date.UTC(2026, 0), Date.UTC(2027, 0))
  expect(year).toEqual([
    { from: Date.UTC(2026, 0), offset: '+01:00', seconds: 3600 },
    { from: spring, offset: '+02:00', seconds: 7200 },
    { from: autumn, offset: '+01:00', seconds: 3600 },
  ])
  expect(zoneOffsets('Europe/Moscow', autumn, spring)).toEqual([{ from: autumn, offset: '+03:00', seconds: 10_800 }])
  expect(zoneOffsets('Europe/Berlin', autumn - 1000, autumn).map(({ offset }) => offset)).toEqual(['+02:00'])
})
