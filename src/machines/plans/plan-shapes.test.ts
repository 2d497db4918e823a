import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import * as contract from '../../api/contract/plans.ts'
import { arrowOf } from '../picture-points.ts'
import {
  afterCameraStroke,
  bearing,
  type CameraChange,
  camerasAfter,
  cameraTowards,
  gridOf,
  maxPlanCameras,
  wedgePath,
} from './plan-shapes.ts'
import {
  fileProblem,
  maxPictureBytes,
  maxPicturePixels,
  maxPictureSide,
  pixelProblem,
  planPatch,
} from './plan-values.ts'

const gate = { streamId: 'gate', x: 0.2, y: 0.5, direction: 350, fieldOfView: 70 }
const dock = { streamId: 'dock', x: 0.8, y: 0.5 }

test('a camera is placed, moved, turned and removed', () => {
  const placed = camerasAfter([gate], { kind: 'add', uid: 'dock', at: { x: 0.8, y: 0.5 } })
  expect(placed).toEqual([gate, dock])
  expect(camerasAfter(placed, { kind: 'add', uid: 'dock', at: { x: 2, y: -1 } })).toEqual([
    gate,
    { ...dock, x: 1, y: 0 },
  ])
  expect(camerasAfter(placed, { kind: 'move', uid: 'gate', by: { x: -0.3, y: 0.1 } })).toEqual([
    { ...gate, x: 0, y: 0.6 },
    dock,
  ])
  expect(camerasAfter(placed, { kind: 'turn', uid: 'gate', degrees: 15 })).toEqual([{ ...gate, direction: 5 }, dock])
  expect(camerasAfter(placed, { kind: 'turn', uid: 'dock', degrees: -5 })).toEqual([gate, { ...dock, direction: 355 }])
  const unknown = { direction: null, fieldOfView: null }
  expect(camerasAfter([gate], { kind: 'aim', uid: 'gate', aim: unknown })).toEqual([
    { streamId: 'gate', x: 0.2, y: 0.5 },
  ])
  expect(camerasAfter(placed, { kind: 'remove', uid: 'gate' })).toEqual([dock])
})

test('a stroke moves a camera, or turns it towards the pointer by what the eye sees', () => {
  const from = { x: 0.2, y: 0.5 }
  expect(afterCameraStroke([gate], { kind: 'move', uid: 'gate', from, to: { x: 0.3, y: 0.4 } })).toEqual([
    { ...gate, x: 0.3, y: 0.4 },
  ])
  const turned = (x: number, y: number, aspect: number) =>
    afterCameraStroke([gate], { kind: 'turn', uid: 'gate', aspect, from, to: { x, y } })[0]?.direction
  expect([turned(0.2, 0.1, 2), turned(0.9, 0.5, 2), turned(0.2, 0.9, 2), turned(0, 0.5, 2)]).toEqual([0, 90, 180, 270])
  expect([turned(0.3, 0.4, 1), turned(0.25, 0.4, 2), turned(0.2, 0.5, 1)]).toEqual([45, 45, 350])
})

test('an arrow key leads to the nearest camera that way', () => {
  const far = { streamId: 'far', x: 1, y: 0.5 }
  const above = { streamId: 'above', x: 0.25, y: 0.1 }
  const led = (from: string, key: string) => {
    const arrow = arrowOf(key, 1)
    return arrow === undefined ? undefined : cameraTowards([gate, dock, far, above], from, arrow, 1)
  }
  expect([
    led('gate', 'ArrowRight'),
    led('far', 'ArrowLeft'),
    led('gate', 'ArrowUp'),
    led('above', 'ArrowDown'),
  ]).toEqual(['dock', 'dock', 'above', 'gate'])
  expect([led('gate', 'ArrowLeft'), led('none', 'ArrowLeft')]).toEqual([undefined, undefined])
})

test('an arrow key leads by what the eye sees, whatever the shape of the picture', () => {
  const roof = { streamId: 'roof', x: 0.4, y: 0.2 }
  const led = (key: string, aspect: number) => {
    const arrow = arrowOf(key, 1)
    return arrow === undefined ? undefined : cameraTowards([gate, roof], 'gate', arrow, aspect)
  }
  expect([led('ArrowRight', 2), led('ArrowUp', 2)]).toEqual(['roof', undefined])
  expect([led('ArrowRight', 1), led('ArrowUp', 1)]).toEqual([undefined, 'roof'])
})

test('selected cameras fill the smallest grid', () => {
  const sizeOf = (count: number) => {
    const { columns, rows, cells } = gridOf(Array.from({ length: count }, (_, index) => `s${index}`))
    return [columns, rows, cells.length, cells.at(-1)?.x, cells.at(-1)?.y]
  }
  expect([1, 2, 3, 5, 36].map(sizeOf)).toEqual([
    [1, 1, 1, 0, 0],
    [2, 1, 2, 1, 0],
    [2, 2, 3, 0, 1],
    [3, 2, 5, 1, 1],
    [6, 6, 36, 5, 5],
  ])
})

test('what a camera sees is drawn around its direction', () => {
  expect(wedgePath(90, 90, 10)).toBe('M0 0 L7.0711 -7.0711 A10 10 0 0 1 7.0711 7.0711 Z')
  expect(wedgePath(0, 270, 10)).toBe('M0 0 L-7.0711 7.0711 A10 10 0 1 1 7.0711 7.0711 Z')
  expect(wedgePath(0, 360, 10)).toMatch(/ A10 10 0 1 1 /)
  expect([bearing(360), bearing(-1), bearing(725)]).toEqual([0, 359, 5])
})

const number = fc.double({ min: -1000, max: 1000, noNaN: true })
const point = fc.record({ x: number, y: number })
const aim = fc.record({ direction: fc.option(number), fieldOfView: fc.option(number) })
const change: fc.Arbitrary<CameraChange> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), uid: fc.constantFrom('gate', 'dock', 'yard'), at: point }),
  fc.record({ kind: fc.constant('move' as const), uid: fc.constantFrom('gate', 'dock'), by: point }),
  fc.record({ kind: fc.constant('turn' as const), uid: fc.constantFrom('gate', 'dock'), degrees: number }),
  fc.record({ kind: fc.constant('aim' as const), uid: fc.constantFrom('gate', 'dock'), aim }),
  fc.record({ kind: fc.constant('remove' as const), uid: fc.constantFrom('gate', 'dock') }),
)

test('whatever is changed, the server accepts it, with its own limits', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const cameras = changes.reduce(camerasAfter, [gate])
      expect(contract.PlanPatch.safeParse({ cameras }).error).toBeUndefined()
    }),
  )
  const full = Array.from({ length: maxPlanCameras }, (_, index) => ({ streamId: `s${index}`, x: 0, y: 0 }))
  expect(camerasAfter(full, { kind: 'add', uid: 'one more', at: { x: 0, y: 0 } })).toBe(full)
  expect([maxPlanCameras, maxPictureBytes, maxPictureSide, maxPicturePixels]).toEqual([
    contract.maxPlanCameras,
    contract.maxPictureBytes,
    contract.maxPictureSide,
    contract.maxPicturePixels,
  ])
})

test('a file is checked before it is sent', () => {
  expect(fileProblem(new Blob(['x'], { type: 'image/png' }))).toBeUndefined()
  expect(fileProblem(new Blob(['<svg/>'], { type: 'image/svg+xml' }))).toBe('unreadable')
  expect(fileProblem(new Blob([new Uint8Array(maxPictureBytes + 1)], { type: 'image/webp' }))).toBe('tooManyBytes')
  expect(pixelProblem({ width: 4000, height: 3000 })).toBeUndefined()
  expect(pixelProblem({ width: 12_001, height: 10 })).toBe('tooManyPixels')
  expect(pixelProblem({ width: 8000, height: 8000 })).toBe('tooManyPixels')
})

test('only what changed is sent', () => {
  const saved = { id: 'p1', title: 'Floor', cameras: [gate], picture: null }
  expect(planPatch({ ...saved, title: ' Floor ' }, saved)).toBe(null)
  expect(planPatch({ ...saved, title: ' Hall ' }, saved)).toEqual({ title: 'Hall' })
  expect(planPatch({ ...saved, cameras: [] }, saved)).toEqual({ cameras: [] })
})
