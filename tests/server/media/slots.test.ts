import { describe, expect, test } from 'vitest'
import { createShared, createSlots } from '../../../server/media/slots.ts'

/** Work that reports when it began, and ends on command. */
const open = () => {
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      began.push(name)
      ends.set(name, () => resolve(name))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { began, work, end }
}

const by = (caller: string, signal?: AbortSignal) => ({ callers: () => [caller], signal })
const busy = { status: 503, retryAfterSeconds: 2 }

describe('slots', () => {
  test('the caller served longest ago is next, however many requests another caller has waiting', async () => {
    const { began, work, end } = open()
    const slots = createSlots({ size: 1 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) void slots(by('a'), work(name))
    void slots(by('b'), work('b1'))
    void slots(by('c'), work('c1'))
    await end('')
    for (const name of ['a1', 'b1', 'c1', 'a2', 'a3']) await end(name)
    expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', 'a4'])
  })

  test('no caller holds more than its share of the slots', async () => {
    const { began, work, end } = open()
    const slots = createSlots({ size: 3, runningEach: 2 })
    for (const name of ['a1', 'a2', 'a3']) void slots(by('a'), work(name))
    await end('')
    expect(began).toEqual(['a1', 'a2'])
    void slots(by('b'), work('b1'))
    await end('')
    expect(began).toEqual(['a1', 'a2', 'b1'])
    await end('a1')
    expect(began).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  test('a request aborted while waiting never runs, nor does one aborted before', async () => {
    const { began, work, end } = open()
    const slots = createSlots({ size: 1 })
    const first = slots(by('a'), work('a1'))
    const leaving = new AbortController()
    const left = slots(by('a', leaving.signal), work('a2'))
    const next = slots(by('a'), work('a3'))
    leaving.abort()
    await expect(left).rejects.toMatchObject({ status: 503 })
    await expect(slots(by('a', AbortSignal.abort()), work('a4'))).rejects.toMatchObject({ status: 503 })
    await end('a1')
    expect(await first).toBe('a1')
    await end('a3')
    expect([await next, began]).toEqual(['a3', ['a1', 'a3']])
  })

  test('too many requests of a caller get Retry-After; a full queue refuses the last one of the busiest caller', async () => {
    const { work, end, began } = open()
    const slots = createSlots({ size: 1, waiting: 3, waitingEach: 2 })
    const names = ['a0', 'a1', 'a2', 'a3']
    const answers = names.map((name) => slots(by('a'), work(name)).then(String, (error: unknown) => error))
    expect(await answers[3]).toMatchObject(busy)
    const others = ['b1', 'c1'].map((name) => slots(by(name), work(name)).then(String, (error: unknown) => error))
    expect(await answers[2]).toMatchObject(busy)
    for (const name of ['a0', 'b1', 'c1', 'a1']) await end(name)
    expect([await answers[0], await answers[1], await others[0], await others[1], began]).toEqual([
      'a0',
      'a1',
      'b1',
      'c1',
      ['a0', 'b1', 'c1', 'a1'],
    ])
  })

  test('work learns that other work needs a slot, unless that waits for the turn of its caller', async () => {
    const { work, end } = open()
    const slots = createSlots({ size: 2, runningEach: 1 })
    let wanted = 0
    const onWanted = () => {
      wanted += 1
    }
    let isWanted = () => false
    void slots({ ...by('a'), onWanted }, (isWantedNow) => {
      isWanted = isWantedNow
      return work('a1')()
    })
    for (const name of ['b1', 'b2']) void slots(by('b'), work(name))
    await end('')
    expect([wanted, isWanted()]).toEqual([0, false])
    void slots(by('c'), work('c1'))
    expect([wanted, isWanted()]).toEqual([1, true])
    await end('b1')
    expect(isWanted()).toBe(true)
    await end('c1')
    expect(isWanted()).toBe(false)
    await end('a1')
    for (const caller of ['d', 'e']) void slots(by(caller), work(caller))
    expect(wanted).toBe(1)
  })

  test('work that fails frees its slot', async () => {
    const slots = createSlots({ size: 1 })
    await expect(slots(by('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await slots(by('a'), async () => 'next')).toBe('next')
  })
})

describe('shared work', () => {
  test('is done once for all requests with one key, at the turn of the first', async () => {
    const { began, work, end } = open()
    const shared = createShared<string>(createSlots({ size: 1 }))
    const want = (caller: string, name: string) => shared(name, { caller }, work(name))
    const answers = [want('a', 'one'), want('a', 'two'), want('a', 'three'), want('b', 'three')]
    await end('')
    await end('one')
    expect(began).toEqual(['one', 'three'])
    await end('three')
    await end('two')
    expect(await Promise.all(answers)).toEqual(['one', 'two', 'three', 'three'])
  })

  test('continues while a request is left, and is aborted with the last one', async () => {
    const ended: string[] = []
    const shared = createShared<string>(createSlots({ size: 1 }))
    const [a, b] = [new AbortController(), new AbortController()]
    const work = (name: string) => (signal: AbortSignal) =>
      new Promise<string>((resolve) => {
        signal.addEventListener('abort', () => {
          ended.push(name)
          resolve('')
        })
      })
    const first = shared('x', { caller: 'a', signal: a.signal }, work('first'))
    const second = shared('x', { caller: 'b', signal: b.signal }, work('never'))
    a.abort()
    await expect(first).rejects.toMatchObject({ status: 503 })
    expect(ended).toEqual([])
    b.abort()
    await expect(second).rejects.toMatchObject({ status: 503 })
    expect(ended).toEqual(['first'])
    expect(await shared('x', { caller: 'c' }, async () => 'anew')).toBe('anew')
  })
})
