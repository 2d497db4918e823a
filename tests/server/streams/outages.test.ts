import { expect, test } from 'vitest'
import { createAnnotationStore } from '../../../server/archive/events/annotations.ts'
import { schema } from '../../../server/schema.ts'
import { createOutages, createStreamOutageLog } from '../../../server/streams/outages.ts'
import { memoryStore } from '../fixtures/memory-store.ts'

const failed = { uid: 'door', name: 'Door', reason: "The camera doesn't answer", message: 'a stream failed' }
const again = { uid: 'door', name: 'Door', message: 'a stream records again' }

/** The outages of a stream, and the lines of the server's log about them. */
const door = async () => {
  const clock = { seconds: 0 }
  const now = () => clock.seconds * 1000
  const lines: object[] = []
  const warn = (detail: object, message: string) => void lines.push({ ...detail, message })
  const outages = createOutages('door', {
    annotations: createAnnotationStore(await memoryStore(schema)),
    backgroundWrites: { add: () => undefined, written: async () => undefined, pending: () => 0 },
    outageLog: createStreamOutageLog('door', () => 'Door', warn, now),
    now,
  })
  const failAt = (seconds: number) => {
    clock.seconds = seconds
    outages.fail('EHOSTUNREACH')
  }
  const recordAt = (seconds: number) => {
    clock.seconds = seconds
    outages.noteRecorded()
  }
  return { lines, outages, failAt, recordAt }
}

test('the log has one line as a stream fails, and one as it records again', async () => {
  const { lines, outages, failAt, recordAt } = await door()
  recordAt(1)
  failAt(2)
  failAt(3)
  outages.fail('HTTP_UNAUTHORIZED')
  failAt(100)
  recordAt(102)
  recordAt(103)
  expect(lines).toEqual([failed, { ...again, seconds: 100 }])
})

test('a camera that fails each second has two lines a minute, with the number of outages between them', async () => {
  const { lines, failAt, recordAt } = await door()
  for (let second = 0; second < 150; second += 1) {
    failAt(second)
    recordAt(second + 0.4)
  }
  const recovered = { ...again, seconds: 0 }
  const counted = { ...failed, unlogged: 59 }
  expect(lines).toEqual([failed, recovered, counted, recovered, counted, recovered])
})

test('an outage soon after the last one is logged once it lasts', async () => {
  const { lines, failAt, recordAt } = await door()
  failAt(0)
  recordAt(5)
  failAt(30)
  failAt(59)
  expect(lines).toHaveLength(2)
  failAt(61)
  failAt(90)
  recordAt(100)
  expect(lines).toEqual([failed, { ...again, seconds: 5 }, failed, { ...again, seconds: 70 }])
})

test('who pauses, drains or leaves a stream that has failed finds no line about it', async () => {
  const { lines, outages, failAt, recordAt } = await door()
  failAt(0)
  outages.pause(true)
  outages.pause(false)
  recordAt(10)
  failAt(70)
  outages.recover()
  recordAt(80)
  expect(lines).toEqual([failed, failed])
})
