import { expect, test } from 'vitest'
import { PlacedStream } from '../../api/contract/cluster.ts'
import { ClusterNode } from '../../api/contract/system.ts'
import { streamsByNode, streamsToHandOver, takingNodes } from './placement.ts'

const nodeOf = (id: string, state: { available?: boolean; drained?: boolean } = {}) =>
  ClusterNode.parse({ id, available: true, ...state })
const placed = (streamId: string, nodeId: string, status = 'running', more = {}) =>
  PlacedStream.parse({ streamId, name: streamId, nodeId, status, ...more })

test('the streams of each node: failed and starting ones first, idle ones after running ones; of no node last', () => {
  const streams = [
    placed('yard', 'a'),
    placed('gate', 'a'),
    placed('roof', 'a', 'failed'),
    placed('dock', 'gone'),
    placed('hall', 'a', 'sleeping'),
    placed('bar', 'a', 'pending', { live: { onDemand: true }, viewers: 0 }),
    placed('zoo', 'a', 'pending'),
    placed('attic', ''),
  ]
  const shown = streamsByNode([nodeOf('b'), nodeOf('a')], streams).map((group) => [
    group.nodeId,
    group.streams.map(({ streamId }) => streamId),
  ])
  expect(shown).toEqual([
    ['b', []],
    ['a', ['roof', 'zoo', 'gate', 'yard', 'bar', 'hall']],
    ['', ['attic', 'dock']],
  ])
  expect(streamsByNode([nodeOf('a')], [])).toEqual([{ nodeId: 'a', streams: [] }])
})

test('a drained node hands over what it still records', () => {
  const streams = [placed('gate', 'a'), placed('yard', 'b')]
  expect(streamsToHandOver(nodeOf('a', { drained: true }), streams)).toBe(1)
  expect(streamsToHandOver(nodeOf('a'), streams)).toBe(0)
  expect(streamsToHandOver(nodeOf('a', { drained: true, available: false }), streams)).toBe(0)
  expect(streamsToHandOver(nodeOf('a', { drained: true }), null)).toBe(0)
})

test('a node takes streams while it is available and not drained', () => {
  const nodes = [nodeOf('a'), nodeOf('b', { drained: true }), nodeOf('c', { available: false })]
  expect(takingNodes(nodes).map(({ id }) => id)).toEqual(['a'])
})
