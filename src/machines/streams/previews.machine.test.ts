import { describe, expect, test } from 'vitest'
import { createActor, fromCallback, SimulatedClock } from 'xstate'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { type PreviewsEvent, previewsMachine } from './previews.machine.ts'

function start() {
  const clock = new SimulatedClock()
  const asked: string[] = []
  const running = new Set<string>()
  const released: string[] = []
  const machine = previewsMachine.provide({
    actors: {
      fetchPreview: fromCallback(({ input: { uid } }) => {
        asked.push(uid)
        running.add(uid)
        return () => running.delete(uid)
      }),
    },
    actions: { releasePictures: (_args, { urls }) => released.push(...urls) },
  })
  const actor = createActor(machine, { clock }).start()
  return {
    clock,
    asked,
    running,
    released,
    send: (event: PreviewsEvent) => actor.send(event),
    /** Scrolls there, and rests. */
    want(uids: readonly string[], isMoving = true) {
      actor.send({ type: 'previews.requested', subjects: uids.map((uid) => ({ uid, isMoving })) })
      clock.increment(100)
    },
    answer: (uid: string, url: string | null) => actor.send({ type: 'preview.fetched', uid, url }),
    pictures: () => Object.fromEntries(actor.getSnapshot().context.pictures),
  }
}

const cameras = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `cam-${from + index}`)

describe('previews', () => {
  test('are fetched six at a time, in visible order', () => {
    const { asked, running, want, answer } = start()
    want(cameras(9))
    expect(asked).toEqual(cameras(6))
    answer('cam-3', 'blob:3')
    answer('cam-0', null)
    expect(asked).toEqual(cameras(8))
    expect(running.size).toBe(6)
  })

  test('are fetched every 10 s while in sight, and the old picture is released once there is a new one', () => {
    const { clock, asked, released, want, answer, pictures } = start()
    want(['gate'])
    answer('gate', 'blob:1')
    clock.increment(9999)
    expect(asked).toEqual(['gate'])
    clock.increment(1)
    expect({ asked, pictures: pictures(), released }).toEqual({
      asked: ['gate', 'gate'],
      pictures: { gate: 'blob:1' },
      released: [],
    })
    answer('gate', 'blob:2')
    expect({ pictures: pictures(), released }).toEqual({ pictures: { gate: 'blob:2' }, released: ['blob:1'] })
  })

  test('of a stream that was briefly paused are fetched once, not again when they were due before', () => {
    const { clock, asked, want, answer } = start()
    want(['gate'])
    answer('gate', 'blob:1')
    want(['gate'], false)
    want(['gate'])
    expect(asked).toEqual(['gate', 'gate'])
    clock.increment(10_000)
    expect(asked).toEqual(['gate', 'gate'])
  })

  test('are fetched with growing pauses if there is none, and every 10 s again once there is', () => {
    const { clock, asked, want, answer } = start()
    want(['gate'])
    const pauses = [20_000, 40_000, 60_000, 60_000].map((pause) => {
      answer('gate', null)
      const before = asked.length
      clock.increment(pause - 1)
      const early = asked.length - before
      clock.increment(1)
      return [early, asked.length - before]
    })
    expect(pauses).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
      [0, 1],
    ])
    answer('gate', 'blob:1')
    clock.increment(10_000)
    expect(asked.length).toBe(6)
  })

  test('of unavailable streams are fetched once, and again when they run', () => {
    const { clock, asked, want, answer } = start()
    want(['gate'], false)
    answer('gate', 'blob:1')
    clock.increment(100_000)
    expect(asked).toEqual(['gate'])
    want(['gate'], true)
    expect(asked).toEqual(['gate', 'gate'])
  })

  test('of a moment are awaited while it is in sight, with growing pauses, and fetched no more once there is one', () => {
    const { clock, asked, send, answer } = start()
    const see = (...uids: string[]) => {
      const subjects = uids.map((uid) => ({ uid, isMoving: false, isAwaited: true }))
      send({ type: 'previews.requested', subjects })
      clock.increment(100)
    }
    see('noon', 'dusk')
    answer('noon', null)
    answer('dusk', 'blob:dusk')
    see('noon')
    clock.increment(19_899)
    expect(asked).toEqual(['noon', 'dusk'])
    clock.increment(1)
    answer('noon', null)
    see('dawn')
    answer('dawn', 'blob:dawn')
    clock.increment(100_000)
    expect(asked).toEqual(['noon', 'dusk', 'noon', 'dawn'])
    see('noon')
    answer('noon', 'blob:noon')
    clock.increment(100_000)
    expect(asked).toEqual(['noon', 'dusk', 'noon', 'dawn', 'noon'])
  })

  test('that went out of sight are cancelled; their last picture stays', () => {
    const { clock, asked, running, want, answer, pictures } = start()
    want(cameras(8))
    answer('cam-0', 'blob:0')
    want(cameras(2, 20))
    expect([...running]).toEqual(cameras(2, 20))
    for (const uid of cameras(2, 20)) answer(uid, null)
    clock.increment(10_000)
    expect({ asked: asked.slice(7), pictures: pictures() }).toEqual({
      asked: cameras(2, 20),
      pictures: { 'cam-0': 'blob:0' },
    })
  })

  test('are released if they are old, but none in sight', () => {
    const { released, want, answer } = start()
    for (const uid of cameras(125)) {
      want(['cam-0', uid])
      answer(uid, `blob:${uid}`)
    }
    expect(released).toEqual(cameras(5, 1).map((uid) => `blob:${uid}`))
  })

  test("aren't fetched while scrolling", () => {
    const { clock, asked, send } = start()
    for (const uid of cameras(20)) {
      send({ type: 'previews.requested', subjects: [{ uid, isMoving: true }] })
      clock.increment(99)
    }
    expect(asked).toEqual([])
    clock.increment(1)
    expect(asked).toEqual(['cam-19'])
  })

  test("aren't fetched while the page is hidden, and at once when it is shown", () => {
    const { clock, asked, running, send, want, answer } = start()
    want(cameras(2))
    answer('cam-0', 'blob:0')
    send({ type: 'page.hidden' })
    expect(running.size).toBe(0)
    clock.increment(60_000)
    want(['cam-5'])
    expect(asked).toEqual(cameras(2))
    send({ type: 'page.shown' })
    expect(asked).toEqual(['cam-0', 'cam-1', 'cam-5'])
  })
})

test.each([true, false])('of moments, only missing pictures are fetched when the page is shown again', (isAwaited) => {
  const { clock, asked, send, answer } = start()
  const subjects = ['noon', 'dusk'].map((uid) => ({ uid, isMoving: false, isAwaited }))
  send({ type: 'previews.requested', subjects })
  clock.increment(100)
  answer('noon', 'blob:0')
  send({ type: 'page.hidden' })
  send({ type: 'page.shown' })
  expect(asked).toEqual(['noon', 'dusk', 'dusk'])
})

test('every edge of the chart is walked', () => {
  const own = {
    'previews.requested': [
      { type: 'previews.requested', subjects: [{ uid: 'gate', isMoving: true }] },
      { type: 'previews.requested', subjects: [] },
    ],
    'preview.fetched': [{ type: 'preview.fetched', uid: 'gate', url: 'blob:1' }],
    'preview.due': [{ type: 'preview.due', uid: 'gate' }],
    'page.hidden': [{ type: 'page.hidden' }],
    'page.shown': [{ type: 'page.shown' }],
  } satisfies { [Type in PreviewsEvent['type']]: Extract<PreviewsEvent, { type: Type }>[] }
  const walked = walkEdges(previewsMachine, {
    model: previewsMachine,
    events: [...Object.values(own).flat(), { type: 'xstate.after.scrollPause.previews.active.settling' }],
    name: ({ value, context }) =>
      JSON.stringify([value, context.subjects.length, context.queue.length > 0, context.running.length > 0]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
