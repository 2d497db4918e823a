import { expect, test, vi } from 'vitest'
import { createByteCache } from '../../../server/media/byte-cache.ts'
import { createSlots } from '../../../server/media/slots.ts'
import { createSubsegments } from '../../../server/media/subsegments.ts'

const lingerMs = 3000

/** Work for segments of three subsegments, which the test makes one by one. */
const start = (size = 1, runningEach = size) => {
  const clock = { now: 0 }
  const slots = createSlots({ size, runningEach })
  const runs: { signal: AbortSignal; take: (index: number) => void; end: () => void; fail: () => void }[] = []
  const request = createSubsegments(slots, createByteCache(1e6), { lingerMs, now: () => clock.now })
  const ask = (index: number, signal = new AbortController().signal, key = 'gate', caller = 'ann') =>
    request(key, { index, count: 3 }, { caller, signal }, (stop, take) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      runs.push({
        signal: stop,
        take: (made) => take(made, Buffer.from([made])),
        end: resolve,
        fail: () => reject(new Error('broken')),
      })
      return promise
    }).then((bytes) => bytes?.[0])
  const run = async (index: number) => {
    await vi.waitFor(() => expect(runs.length).toBeGreaterThan(index))
    const found = runs[index]
    if (found === undefined) throw new Error('no run')
    return found
  }
  /** Asks for a subsegment with a signal that gives it up. */
  const askPatiently = (index: number, key: string, caller = 'ann') => {
    const patience = new AbortController()
    const late = ask(index, patience.signal, key, caller)
    return async () => {
      patience.abort()
      await expect(late).rejects.toMatchObject({ status: 503 })
    }
  }
  return { clock, slots, runs, ask, askPatiently, run }
}

test('a subsegment is answered before the others are made, and all are made once', async () => {
  const { runs, ask, run } = start()
  const answers = [ask(0), ask(1), ask(0)]
  const work = await run(0)
  work.take(0)
  expect(await Promise.all([answers[0], answers[2]])).toEqual([0, 0])
  work.take(1)
  work.end()
  expect(await answers[1]).toBe(1)
  expect([await ask(0), await ask(1)]).toEqual([0, 1])
  expect(runs).toHaveLength(1)
})

test('what the work did not make is undefined, and made again at the next request', async () => {
  const { runs, ask, run } = start()
  const answer = ask(2)
  ;(await run(0)).end()
  expect(await answer).toBeUndefined()
  const again = ask(2)
  ;(await run(1)).fail()
  await expect(again).rejects.toThrow('broken')
  expect(runs).toHaveLength(2)
})

test('work of which its caller has what was requested ends as that caller turns to another segment', async () => {
  const { runs, ask, run } = start()
  const { signal } = new AbortController()
  const [first, second] = [ask(0), ask(1)]
  const work = await run(0)
  work.take(0)
  await first
  const next = ask(0, signal, 'yard')
  expect(work.signal.aborted).toBe(false)
  work.take(1)
  await second
  void ask(1, signal, 'yard', 'bob')
  expect(work.signal.aborted).toBe(false)
  void ask(1, signal, 'yard')
  expect(work.signal.aborted).toBe(true)
  work.end()
  const other = await run(1)
  other.take(0)
  expect(await next).toBe(0)
  void ask(2, signal, 'gate')
  // Bob still waits for the other one.
  expect([other.signal.aborted, runs.length]).toEqual([false, 2])
})

test('a caller that comes back to what it has left plays both, and both go on', async () => {
  const { runs, ask, run } = start()
  const { signal } = new AbortController()
  const served = async (position: number, answer: Promise<number | undefined>, index: number) => {
    const work = await run(position)
    work.take(index)
    await answer
    return work
  }
  const gate = await served(0, ask(0), 0)
  const asked = ask(0, signal, 'yard')
  expect(gate.signal.aborted).toBe(true)
  gate.end()
  const yard = await served(1, asked, 0)
  const back = ask(1)
  expect(yard.signal.aborted).toBe(false)
  yard.end()
  const again = await served(2, back, 1)
  void ask(1, signal, 'yard')
  expect([again.signal.aborted, runs.length]).toEqual([false, 3])
})

test('what its caller gives up as it takes long goes on until it is requested again', async () => {
  const { runs, ask, run } = start()
  const patience = new AbortController()
  const late = ask(2, patience.signal)
  const work = await run(0)
  patience.abort()
  await expect(late).rejects.toMatchObject({ status: 503 })
  const again = ask(2)
  work.take(2)
  expect([await again, work.signal.aborted, runs.length]).toEqual([2, false, 1])
})

test('what all have given up ends with a request of its caller for another segment, though it plays several', async () => {
  const { ask, run } = start(9)
  const { signal } = new AbortController()
  const served = async (position: number, key: string) => {
    const answer = ask(0, signal, key)
    ;(await run(position)).take(0)
    await answer
  }
  await served(0, 'gate')
  await served(1, 'yard')
  const patience = new AbortController()
  const late = ask(1, patience.signal, 'gate')
  const work = await run(2)
  patience.abort()
  await expect(late).rejects.toMatchObject({ status: 503 })
  void ask(0, signal, 'hall')
  expect([(await run(1)).signal.aborted, work.signal.aborted]).toEqual([false, true])
})

test('what its caller gives up after a request for another segment ends at once', async () => {
  const { ask, run } = start(2)
  const seek = new AbortController()
  const late = ask(2, seek.signal)
  const work = await run(0)
  void ask(0, undefined, 'yard')
  expect(work.signal.aborted).toBe(false)
  seek.abort()
  await expect(late).rejects.toMatchObject({ status: 503 })
  expect([work.signal.aborted, (await run(1)).signal.aborted]).toEqual([true, false])
})

test('what a player requests ahead with what it gives up does not end that, nor does its retry', async () => {
  const { clock, runs, ask, askPatiently, run } = start(2, 1)
  for (const second of [0, 8]) {
    clock.now = second * 1000
    const giveUps = second === 0 ? ['gate', 'yard'] : ['yard', 'gate']
    const patient = giveUps.map((key) => askPatiently(2, key))
    clock.now += 7900
    for (const giveUp of patient) await giveUp()
  }
  void ask(0, undefined, 'yard')
  const answer = ask(2)
  const work = await run(0)
  expect([work.signal.aborted, runs.length]).toEqual([false, 1])
  work.take(2)
  expect(await answer).toBe(2)
})

test('what all have given up ends as other work finds no free slot, and not before', async () => {
  const { clock, slots, ask, askPatiently, run } = start(2, 1)
  const giveUp = askPatiently(2, 'gate')
  const ahead = askPatiently(0, 'yard')
  const work = await run(0)
  clock.now = 8000
  await giveUp()
  await ahead()
  void ask(0, undefined, 'hall', 'bob')
  // It waits for the turn of its caller.
  void ask(0, undefined, 'loft', 'bob')
  expect([work.signal.aborted, (await run(1)).signal.aborted]).toEqual([false, false])
  void slots({ callers: () => ['eve'] }, async () => undefined)
  expect([work.signal.aborted, (await run(1)).signal.aborted]).toEqual([true, false])
})

test('what all give up while other work waits for a slot ends at once', async () => {
  const { ask, askPatiently, run } = start(1)
  const giveUps = [askPatiently(2, 'gate'), askPatiently(2, 'gate', 'bob')]
  const work = await run(0)
  void ask(0, undefined, 'hall', 'eve')
  await giveUps[0]?.()
  expect(work.signal.aborted).toBe(false)
  await giveUps[1]?.()
  expect(work.signal.aborted).toBe(true)
})

test('the work ends some time after the last who waited gave up or was served', async () => {
  vi.useFakeTimers()
  try {
    const { runs, ask } = start()
    const [ann, bob] = [new AbortController(), new AbortController()]
    const left = [ask(0, ann.signal), ask(1, bob.signal)]
    await vi.advanceTimersByTimeAsync(0)
    ann.abort()
    await expect(left[0]).rejects.toMatchObject({ status: 503 })
    expect(runs[0]?.signal.aborted).toBe(false)
    bob.abort()
    await expect(left[1]).rejects.toMatchObject({ status: 503 })
    await vi.advanceTimersByTimeAsync(lingerMs - 1)
    expect(runs[0]?.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(runs[0]?.signal.aborted).toBe(true)
    await expect(ask(0, bob.signal)).rejects.toMatchObject({ status: 503 })
    runs[0]?.end()

    const served = ask(0)
    await vi.advanceTimersByTimeAsync(0)
    runs[1]?.take(0)
    expect(await served).toBe(0)
    await vi.advanceTimersByTimeAsync(lingerMs - 1)
    const next = ask(1)
    await vi.advanceTimersByTimeAsync(lingerMs)
    expect(runs[1]?.signal.aborted).toBe(false)
    runs[1]?.take(1)
    expect(await next).toBe(1)
    await vi.advanceTimersByTimeAsync(lingerMs)
    expect(runs[1]?.signal.aborted).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
