import { expect, test, vi } from 'vitest'
import { runTool } from '../../../server/media/run-tool.ts'
import { transcodedInit, transcodeSegment } from '../../../server/media/transcode.ts'
import { init } from '../fixtures/paused-stream.ts'

vi.mock('../../../server/media/run-tool.ts', () => ({
  runTool: vi.fn(async () => ({ output: undefined, stderrTail: '' })),
}))

test.each([
  ['a viewer waits for recording', undefined, 'encoding'],
  ['a download or an export waits for all others', { filter: '', size: init.video }, 'background'],
])('the transcode of %s', async (_name, drawing, priority) => {
  const { signal } = new AbortController()
  await transcodedInit(init, signal, drawing)
  await transcodeSegment({ init, segment: Buffer.of() }, signal, drawing)
  const [forInit, forSegment] = vi.mocked(runTool).mock.calls.slice(-2)
  expect([forInit?.[2].priority, forSegment?.[2].priority]).toEqual([priority, priority])
})
