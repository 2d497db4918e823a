import { describe, expect, test } from 'vitest'
import { createTransportReader, isTransportStream, wholePackets } from '../../../server/media/transport-stream.ts'

const [mapPid, videoPid, soundPid] = [0x100, 0x101, 0x102]

/** A packet; `isMarked`: as a point where a reader may begin. */
const packet = (pid: number, payload: Buffer, isMarked = false): Buffer => {
  const field = Buffer.alloc(188 - 4 - payload.length - 1, 0xff)
  field[0] = isMarked ? 0x40 : 0
  const head = Buffer.from([0x47, 0x40 | (pid >> 8), pid & 0xff, 0x30, field.length])
  return Buffer.concat([head, field, payload])
}

/** A section without a valid checksum, as nobody checks it. */
const section = (tableId: number, body: readonly number[]): Buffer =>
  Buffer.from([0, tableId, 0xb0, body.length + 9, 0, 1, 0xc1, 0, 0, ...body, 0, 0, 0, 0])

const pidBytes = (pid: number): number[] => [0xe0 | (pid >> 8), pid & 0xff]
const association = packet(0, section(0, [0, 1, ...pidBytes(mapPid)]))
const map = (...streams: [type: number, pid: number][]): Buffer =>
  packet(
    mapPid,
    section(2, [
      ...pidBytes(videoPid),
      0xf0,
      0,
      ...streams.flatMap(([type, pid]) => [type, ...pidBytes(pid), 0xf0, 0]),
    ]),
  )

const pes = (pid: number, seconds: number, data: readonly number[], isMarked = false): Buffer => {
  const pts = Math.round(seconds * 90_000) % 2 ** 33
  const high = 0x21 | (Math.floor(pts / 2 ** 30) << 1)
  const [middle, low] = [Math.floor(pts / 2 ** 15) % 2 ** 15, pts % 2 ** 15]
  const time = [high, middle >> 7, ((middle & 0x7f) << 1) | 1, low >> 7, ((low & 0x7f) << 1) | 1]
  return packet(
    pid,
    Buffer.from([0, 0, 1, pid === videoPid ? 0xe0 : 0xc0, 0, 0, 0x80, 0x80, 5, ...time, ...data]),
    isMarked,
  )
}

/** AAC LC at 48 kHz. */
const adts = [0xff, 0xf1, 0x4c, 0x80, 0, 0, 0xfc]
const picture = (seconds: number, isMarked = false): Buffer => pes(videoPid, seconds, [0, 0, 1, 0x41], isMarked)
const sound = (seconds: number): Buffer => pes(soundPid, seconds, adts)
const both = Buffer.concat([association, map([0x1b, videoPid], [0x0f, soundPid])])
const span = (from: number, to: number, make: (seconds: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: Math.round((to - from) * 4) }, (_, index) => make(from + index / 4)))

const aac = { track: { type: 'audio', codec: 'aac', profile: 'LC', sampleRate: 48_000 } }

describe('a transport stream', () => {
  test('is recognized by its packets, and read in whole ones', () => {
    expect([isTransportStream(both.subarray(0, 188)), isTransportStream(Buffer.concat([both, both]))]).toEqual([
      false,
      true,
    ])
    expect(wholePackets(Buffer.alloc(400))).toBe(376)
  })

  test('has sound while it comes, and none before a second of it or some seconds after it', () => {
    const reader = createTransportReader()
    reader.take(Buffer.concat([both, span(0, 1, (at) => Buffer.concat([picture(at), sound(at)]))]), false)
    expect(reader.sound()).toBeUndefined()
    reader.take(
      span(1, 2, (at) => Buffer.concat([picture(at), sound(at)])),
      false,
    )
    expect(reader.sound()).toEqual(aac)
    reader.take(span(2, 4, picture), false)
    expect(reader.sound()).toEqual(aac)
    reader.take(span(4, 6, picture), false)
    expect(reader.sound()).toBeUndefined()
    reader.take(
      span(6, 7.5, (at) => Buffer.concat([picture(at), sound(at)])),
      false,
    )
    expect(reader.sound()).toEqual(aac)
  })

  test('has sound across the end of its time stamps', () => {
    const reader = createTransportReader()
    const end = 2 ** 33 / 90_000
    reader.take(Buffer.concat([both, span(end - 1, end + 1, (at) => Buffer.concat([picture(at), sound(at)]))]), false)
    expect(reader.sound()).toEqual(aac)
  })

  test('has no sound of types that take a probe to know', () => {
    const reader = createTransportReader()
    const tables = Buffer.concat([association, map([0x1b, videoPid], [0x06, soundPid])])
    reader.take(Buffer.concat([tables, span(0, 3, (at) => Buffer.concat([picture(at), sound(at)]))]), false)
    expect(reader.sound()).toBeUndefined()
  })

  test.each([
    ['marked by the camera', picture(1, true)],
    ['with a parameter set', pes(videoPid, 1, [0, 0, 1, 0x09, 0, 0, 1, 0x67])],
  ])('is split at a keyframe %s', (_how, keyframe) => {
    const reader = createTransportReader()
    const before = Buffer.concat([both, picture(0), sound(0)])
    expect(reader.tables()).toBeUndefined()
    expect(reader.take(Buffer.concat([before, keyframe, picture(2)]), false)).toBeUndefined()
    expect(reader.take(Buffer.concat([before, keyframe, picture(2)]), true)).toBe(before.length)
    expect(reader.tables()).toEqual(both)
  })

  test('that is none after all is passed on unread', () => {
    const reader = createTransportReader()
    reader.take(both, false)
    expect(reader.take(Buffer.alloc(376), true)).toBeUndefined()
    expect([reader.sound(), reader.tables()]).toEqual([undefined, undefined])
  })
})
