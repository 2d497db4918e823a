import { expect, test } from 'vitest'
import { guarded, onFault, type Fault } from '../../../server/guarded.ts'
import { StoreClosed } from '../../../server/store/connection.ts'
import { startServer } from '../fixtures/harness.ts'

const faultsOf = (work: () => void): Fault[] => {
  const faults: Fault[] = []
  const stop = onFault((fault) => faults.push(fault))
  work()
  stop()
  return faults
}

test('a throw is reported, and ends what the callback belongs to', () => {
  const ended: unknown[] = []
  const error = new Error('broken')
  const faults = faultsOf(
    guarded(
      'here',
      () => {
        throw error
      },
      (why) => ended.push(why),
    ),
  )
  expect(faults).toEqual([{ callback: 'here', error }])
  expect(ended).toEqual([error])
})

test('a rejection is reported as a throw is', async () => {
  const error = new Error('broken later')
  const fault = new Promise<Fault>((resolve) => onFault(resolve))
  guarded('here', () => Promise.reject(error))()
  expect(await fault).toEqual({ callback: 'here', error })
})

test('an ending that throws as well, or a listener that does, is contained', () => {
  const [first, second] = [new Error('first'), new Error('second')]
  const stop = onFault(() => {
    throw new Error('the log is broken')
  })
  const faults = faultsOf(
    guarded(
      'here',
      () => {
        throw first
      },
      () => {
        throw second
      },
    ),
  )
  stop()
  expect(faults).toEqual([
    { callback: 'here', error: first },
    { callback: 'here', error: second },
  ])
})

test('arguments are passed on', () => {
  const received: unknown[] = []
  guarded('here', (...args: number[]) => received.push(...args))(1, 2)
  expect(received).toEqual([1, 2])
})

test('the log has faults, but not that work was cut short because the server stops', async () => {
  const { context } = await startServer()
  const fail = (error: Error) =>
    guarded('here', () => {
      throw error
    })()
  fail(new StoreClosed())
  fail(new Error('broken'))
  const lines = () => JSON.stringify(context.serverLog.read(undefined))
  await expect.poll(lines).toContain('broken')
  expect(lines()).not.toContain('closed')
})
