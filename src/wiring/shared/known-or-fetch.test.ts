import { describe, expect, test } from 'vitest'
import { createActor, setup } from 'xstate'
import { knownOrFetch } from './known-or-fetch.ts'

function open(known: string | undefined, ask: () => Promise<string>) {
  const machine = setup({ actors: { recall: knownOrFetch<string, number>(() => known, ask) } }).createMachine({
    initial: 'recalling',
    states: {
      recalling: {
        invoke: {
          src: 'recall',
          input: 1,
          onDone: { target: 'known', guard: ({ event }) => event.output === 'dark' },
          onError: 'unknown',
        },
      },
      known: {},
      unknown: {},
    },
  })
  return createActor(machine).start()
}

describe('an answer that may be known', () => {
  test('is there at once', () => {
    expect(open('dark', () => Promise.reject(new Error('asked'))).getSnapshot().value).toBe('known')
  })

  test.each([
    ['is waited for where it is not', () => Promise.resolve('dark'), 'known'],
    ['may fail to come', () => Promise.reject(new Error('away')), 'unknown'],
  ])('%s', async (_, ask, after) => {
    const actor = open(undefined, ask)
    const before = actor.getSnapshot().value
    await expect.poll(() => actor.getSnapshot().value).toBe(after)
    expect(before).toBe('recalling')
  })
})
