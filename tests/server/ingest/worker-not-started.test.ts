import { ChildProcess } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { ingestWorkers } from '../../../server/ingest/forked.ts'
import { patience } from '../../fixtures/patience.ts'

vi.mock('../../../server/media/sandbox.ts', () => ({
  sandbox: () => ({ isolation: undefined, before: [], user: undefined }),
}))
/** As `fork` is without a free descriptor: it returns a process without a channel, which reports an error later. */
vi.mock(import('node:child_process'), async (importOriginal) => ({
  ...(await importOriginal()),
  fork: () => {
    const child = new ChildProcess()
    setImmediate(() => child.emit('error', new Error('spawn EMFILE')))
    return child
  },
}))

test('a worker that can’t be started has ended', async () => {
  let ends = 0
  const link = ingestWorkers().connect({ onEvent: () => undefined, onEnd: () => (ends += 1) })
  expect(link.process?.().pid).toBeUndefined()
  await vi.waitUntil(() => ends > 0, patience)
  expect(ends).toBe(1)
})
