import { describe, expect, test } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { hoverPreviewMachine, previewMomentOf } from './hover-preview.machine.ts'

function start() {
  const clock = new SimulatedClock()
  const asked: number[] = []
  const released: (string | null)[] = []
  const actor = createActor(
    hoverPreviewMachine.provide({
      actors: {
        fetchPicture: fromPromise(async ({ input: { at } }) => {
          asked.push(at)
          if (at === 13) throw new Error('no network')
          return at < 0 ? null : `blob:${at}`
        }),
      },
      actions: { releasePictures: (_, { urls }) => void released.push(...urls) },
    }),
    { clock, input: { streamId: 'gate' } },
  ).start()
  return {
    actor,
    released,
    want: (at: number, key: number) => actor.send({ type: 'preview.requested', at, key }),
    async after(milliseconds: number) {
      clock.increment(milliseconds)
      await settle()
    },
    times: () => asked,
    kept: () => [...actor.getSnapshot().context.pictures],
  }
}

test('pictures of other zooms stand for the moments near them, too', () => {
  const at = Date.UTC(2026, 10, 21, 12)
  for (const stepMs of [1000, 275_999.7, 276_230.2])
    for (const moment of [at, at + 16 * 24 * 3_600_000])
      expect(Math.abs(previewMomentOf(moment, stepMs).key - moment)).toBeLessThanOrEqual(stepMs / 2 + 1)
})

describe('the picture under the pointer', () => {
  test('is fetched once the pointer has rested for 150 ms, and cached', async () => {
    const { want, after, times, kept } = start()
    want(1000, 1)
    await after(100)
    want(2000, 2)
    want(2001, 2)
    await after(149)
    expect(times()).toEqual([])
    await after(1)
    expect({ times: times(), kept: kept() }).toEqual({ times: [2000], kept: [[2, 'blob:2000']] })
    want(2002, 2)
    await after(150)
    expect(times()).toEqual([2000])
  })

  test('is cancelled once the pointer leaves, and fetched again when it returns', async () => {
    const { actor, want, after, times } = start()
    want(1000, 1)
    actor.send({ type: 'preview.cancelled' })
    await after(150)
    expect(times()).toEqual([])
    want(1000, 1)
    await after(150)
    expect(times()).toEqual([1000])
  })

  test('of an outdated request is dropped', () => {
    const clock = new SimulatedClock()
    const signals: AbortSignal[] = []
    const fetchPicture = fromPromise<string | null, { streamId: string; at: number }>(({ signal }) => {
      signals.push(signal)
      return new Promise(() => undefined)
    })
    const machine = hoverPreviewMachine.provide({ actors: { fetchPicture } })
    const actor = createActor(machine, { clock, input: { streamId: 'gate' } }).start()
    actor.send({ type: 'preview.requested', at: 1000, key: 1 })
    clock.increment(150)
    actor.send({ type: 'preview.cancelled' })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  test('is one of sixty cached; the least recently shown is released', async () => {
    const { want, after, released, kept } = start()
    for (let key = 0; key < 60; key += 1) {
      want(key * 1000, key)
      await after(150)
    }
    want(0, 0)
    want(99_000, 99)
    await after(150)
    expect({ released, size: kept().length, first: kept()[0] }).toEqual({
      released: ['blob:1000'],
      size: 60,
      first: [2, 'blob:2000'],
    })
  })

  test('is known to be missing if there is none, and fetched again if the request failed', async () => {
    const { want, after, times, kept } = start()
    for (const [at, key] of [
      [-1, 1],
      [-1, 1],
      [13, 2],
      [13, 2],
      [-1, 1],
      [13, 2],
    ] as const) {
      want(at, key)
      await after(150)
    }
    expect({ times: times(), kept: kept() }).toEqual({ times: [-1, 13, 13], kept: [[1, null]] })
  })
})

test('every edge is taken by a real actor', () => {
  const walked = walkEdges(hoverPreviewMachine, {
    model: hoverPreviewMachine,
    input: { streamId: 'gate' },
    events: [
      { type: 'preview.requested', at: 1000, key: 1 },
      { type: 'preview.requested', at: 2000, key: 2 },
      { type: 'preview.cancelled' },
      { type: 'xstate.after.pause.hoverPreview.pausing' },
      { type: 'xstate.done.actor.fetchPicture', output: 'blob:1' },
      { type: 'xstate.error.actor.fetchPicture', error: new Error('no network') },
    ],
    name: ({ value, context }) => JSON.stringify([value, context.requested, [...context.pictures.keys()].slice(0, 2)]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
