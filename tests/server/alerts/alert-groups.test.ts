import { describe, expect, test } from 'vitest'
import { createGroup, type Memory } from '../../../server/alerts/grouping.ts'
import {
  faultOf,
  subjectOf,
  type Condition,
  type SiteSnapshot,
  type StoredAlert,
} from '../../../server/alerts/happenings.ts'
import { minuteMs } from '../../../server/durations.ts'
import { start } from '../fixtures/harness.ts'

const usual: StoredAlert = {
  id: 'a1',
  name: 'Night',
  on: ['stream.failed', 'stream.recovered', 'disk.full'],
  streams: [],
  labels: [],
  quietMinutes: 0,
  quietHours: null,
  to: [],
}

/** One alert over a site whose cameras fail and come back as the test decides, on the test's clock. */
const open = (change: Partial<StoredAlert> = {}) => {
  const alert = { ...usual, ...change }
  const group = createGroup()
  const memory: Memory = new Map()
  const failing = new Map<string, Condition>()
  const states = new Map<string, 'gone' | 'unknown'>()
  let now = start
  const snapshot: SiteSnapshot = {
    failing,
    stateOf: (subject) => states.get(subject) ?? 'well',
    nameOf: (uid) => `Camera ${uid}`,
  }
  const check = () => {
    const { happenings, reported } = group.takeDue(alert, memory, snapshot, now)
    for (const [subject, each] of reported) {
      if (each === undefined) memory.delete(subject)
      else memory.set(subject, each)
    }
    return happenings.map(({ on, streamId, isOver, label, count }) =>
      [on, streamId, label, isOver === true ? 'over' : '', count === 1 ? '' : count].filter(Boolean).join(' '),
    )
  }
  return {
    memory,
    states,
    change: (next: Partial<StoredAlert>) => Object.assign(alert, next),
    fail: (...uids: string[]) => {
      for (const uid of uids) {
        const subject = subjectOf(uid)
        const camera = { streamId: uid, streamName: `Camera ${uid}`, reason: 'EHOSTUNREACH' }
        failing.set(subject, { subject, on: 'stream.failed', time: now, ...camera })
      }
    },
    breakDown: (subject: string) => failing.set(subject, { subject, ...faultOf(subject), time: now }),
    repair: (...subjects: string[]) => {
      for (const subject of subjects) failing.delete(subject)
    },
    detect: (streamId: string, label: string) =>
      group.addEvent(alert, memory, { streamId, streamName: streamId, label, time: now }, now),
    takeEvents: () => group.takeEvents(now).happenings.length,
    takeSettledEvents: () => group.takeSettledEvents(now).happenings.length,
    /** Checks every two seconds for so long, and returns the content of each letter. */
    pass: (ms: number) => {
      const letters: string[][] = []
      for (const end = now + ms; now < end;) {
        const letter = check()
        if (letter.length > 0) letters.push(letter)
        now += 2000
      }
      return letters
    },
    wait: (ms: number) => {
      now += ms
    },
    setBack: (ms: number) => {
      now -= ms
    },
  }
}

describe('what failed', () => {
  test('with forty cameras in ten seconds is one letter, and so is their recovery', () => {
    const { fail, repair, pass } = open()
    const uids = Array.from({ length: 40 }, (_each, index) => `c${index}`)
    for (let from = 0; from < 40; from += 8) {
      fail(...uids.slice(from, from + 8))
      expect(pass(2000)).toEqual([])
    }
    expect(pass(60_000)).toEqual([uids.map((uid) => `stream.failed ${uid}`)])
    repair(...uids.map(subjectOf))
    expect(pass(60_000)).toEqual([uids.map((uid) => `stream.recovered ${uid}`)])
  })

  test('is reported within half a minute though ever more fails', () => {
    const { fail, pass } = open()
    const letters: number[] = []
    for (let index = 0; index < 20; index += 1) {
      fail(`c${index}`)
      letters.push(...pass(2000).map((letter) => letter.length))
    }
    expect(letters).toEqual([16])
  })

  test('and is back before it was reported never is', () => {
    const { fail, repair, pass } = open()
    fail('c1')
    pass(4000)
    repair(subjectOf('c1'))
    expect(pass(120_000)).toEqual([])
  })

  test('is reported once, until it is back', () => {
    const { fail, repair, pass } = open()
    fail('c1')
    expect(pass(3_600_000)).toEqual([['stream.failed c1']])
    repair(subjectOf('c1'))
    expect(pass(20_000)).toEqual([['stream.recovered c1']])
    fail('c1')
    expect(pass(20_000)).toEqual([['stream.failed c1']])
  })

  test('and was paused or removed since is forgotten; of what only connects nothing is reported yet', () => {
    const { fail, repair, pass, states, memory } = open()
    fail('c1', 'c2')
    pass(20_000)
    repair(subjectOf('c1'), subjectOf('c2'))
    states.set(subjectOf('c1'), 'gone').set(subjectOf('c2'), 'unknown')
    expect(pass(60_000)).toEqual([])
    expect([...memory.keys()]).toEqual([subjectOf('c2')])
    states.clear()
    expect(pass(60_000)).toEqual([['stream.recovered c2']])
  })

  test('is reported after the clock was set back by a day', () => {
    const { fail, pass, setBack } = open({ quietMinutes: 60 })
    fail('c1')
    pass(4000)
    setBack(86_400_000)
    expect(pass(2000)).toEqual([['stream.failed c1']])
  })
})

describe('the quiet time', () => {
  test('keeps a camera that comes and goes to one letter; if it fails when it is over, that is reported', () => {
    const { fail, repair, pass } = open({ quietMinutes: 30 })
    fail('c1')
    expect(pass(minuteMs)).toEqual([['stream.failed c1']])
    for (let time = 0; time < 20; time += 1) {
      repair(subjectOf('c1'))
      expect(pass(30_000)).toEqual(time === 0 ? [['stream.recovered c1']] : [])
      fail('c1')
      expect(pass(30_000)).toEqual([])
    }
    expect(pass(20 * minuteMs)).toEqual([['stream.failed c1']])
  })

  test('is of one camera: another is reported at once', () => {
    const { fail, pass } = open({ quietMinutes: 30 })
    fail('c1')
    pass(minuteMs)
    fail('c2')
    expect(pass(minuteMs)).toEqual([['stream.failed c2']])
  })

  test('is of one label of one camera, and what else comes in it is not reported', () => {
    const { detect, pass } = open({ on: ['event'], quietMinutes: 10 })
    detect('c1', 'person')
    detect('c1', 'person')
    detect('c1', 'car')
    expect(pass(minuteMs)).toEqual([['event c1 person 2', 'event c1 car']])
    detect('c1', 'person')
    detect('c2', 'person')
    expect(pass(minuteMs)).toEqual([['event c2 person']])
    expect(pass(10 * minuteMs)).toEqual([])
    detect('c1', 'person')
    expect(pass(minuteMs)).toEqual([['event c1 person']])
  })
})

test('an alert reports only what it is about', () => {
  const failed = open({ on: ['stream.failed'], streams: ['c1'] })
  failed.fail('c1', 'c2')
  expect(failed.pass(20_000)).toEqual([['stream.failed c1']])
  failed.repair(subjectOf('c1'))
  expect(failed.pass(20_000)).toEqual([])
  const recovered = open({ on: ['stream.recovered'] })
  recovered.fail('c1')
  expect(recovered.pass(20_000)).toEqual([])
  recovered.repair(subjectOf('c1'))
  expect(recovered.pass(20_000)).toEqual([['stream.recovered c1']])
})

test('the recovery of a camera that the alert is no longer about is not reported', () => {
  const { fail, repair, change, pass } = open({ streams: ['c1', 'c2'] })
  fail('c1', 'c2')
  expect(pass(20_000)).toEqual([['stream.failed c1', 'stream.failed c2']])
  change({ streams: ['c2'] })
  repair(subjectOf('c1'), subjectOf('c2'))
  expect(pass(20_000)).toEqual([['stream.recovered c2']])
})

test('a disk that is full is reported, and that it is over, whichever cameras it is about', () => {
  const { breakDown, repair, pass } = open({ on: ['disk.full'], streams: ['c1'] })
  breakDown('disk')
  breakDown('database')
  expect(pass(20_000)).toEqual([['disk.full']])
  repair('disk')
  expect(pass(20_000)).toEqual([['disk.full over']])
})

test('events that wait are taken once when the server ends', () => {
  const { detect, takeEvents } = open({ on: ['event'] })
  detect('c1', 'person')
  expect([takeEvents(), takeEvents()]).toEqual([1, 0])
})

test('on a node that no longer leads, events settle anew, whatever was failing when it led', () => {
  const { fail, pass, wait, detect, takeSettledEvents } = open({ on: ['stream.failed', 'event'] })
  fail('c1')
  expect(pass(4000)).toEqual([])
  expect(takeSettledEvents()).toBe(0)
  wait(60_000)
  detect('c1', 'person')
  expect(takeSettledEvents()).toBe(0)
  wait(8000)
  expect([takeSettledEvents(), takeSettledEvents()]).toEqual([1, 0])
})
