import { expect, test } from 'vitest'
import type { Fault } from '../bench/cluster/faults.ts'
import { lossesOf } from '../bench/cluster/losses.ts'

const gap = (from: number, to: number) => ({ from: from * 1000, to: to * 1000 })
const fault = (kind: Fault['kind'], nodeId: string, at: number): Fault => ({ kind, nodeId, at: at * 1000, seconds: 10 })
const tenures = [
  { uid: 'door', node: 'a', since: 0 },
  { uid: 'door', node: 'b', since: 115_000 },
]

test('a camera may lose 20 s with its holder, a group of pictures at a hand-over, and nothing besides', () => {
  const beyond = (gaps: Parameters<typeof lossesOf>[0], ...faults: Fault[]) => lossesOf(gaps, faults, tenures, 2).beyond
  expect(beyond([gap(100, 116)], fault('kill', 'a', 100))).toBe(0)
  expect(beyond([gap(100, 123)], fault('pause', 'a', 100))).toBe(3)
  expect(beyond([gap(100, 116)], fault('kill', 'b', 100))).toBe(16)
  expect(beyond([gap(114, 131)], fault('kill', 'b', 113))).toBe(0)
  expect(beyond([gap(114, 116)])).toBe(0)
  expect(beyond([gap(112, 114), gap(116, 118)])).toBe(2)
  expect(beyond([gap(50, 51)], fault('database', '', 50))).toBe(1)
  expect(lossesOf([gap(50, 51)], [fault('bucket', '', 50)], tenures, 2).during.get('bucket')).toEqual([1])
})
