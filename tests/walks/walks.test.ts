import { expect, test } from 'vitest'
import { appMachine } from '../../src/machines/app/app.machine.ts'
import { walk } from './walk.ts'

/**
 * A share of what `npm run walks` does, by the same seeds; `npm run walks -- --seed 7 --count 1` shows the steps of
 * one.
 */
const share = 150

test(`${share} visits of 100 steps by chance: no machine dies, no video gets two engines, nothing goes on once its page was left`, async () => {
  const found: object[] = []
  for (let seed = 1; seed <= share; seed += 1) {
    const { faults } = await walk(seed, 100)
    if (faults.length > 0) found.push({ seed, faults })
  }
  expect(found).toEqual([])
}, 300_000)

test('a seed repeats its walk', async () => {
  const [once, again] = [await walk(7, 100), await walk(7, 100)]
  expect(again).toEqual(once)
  expect(once.steps).toHaveLength(100)
})

test('a root machine that forgot to stop its pages is found', async () => {
  const forgetful = appMachine.provide({ actions: { stopPage: () => undefined } })
  const faults = new Set<string>()
  for (let seed = 1; seed <= 20; seed += 1)
    for (const fault of (await walk(seed, 100, forgetful)).faults)
      faults.add(fault.replace(/^[\w.]+ goes/, 'a port goes'))
  expect(faults).toContain('a port goes on, though its page was left')
})
