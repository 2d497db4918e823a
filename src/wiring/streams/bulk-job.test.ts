import { afterEach, expect, test, vi } from 'vitest'
import { streamOf } from '../../../tests/fixtures/replies.ts'
import { setBaseUrl } from '../../api/call.ts'
import { perform } from './bulk-job.ts'

afterEach(() => {
  setBaseUrl('')
  vi.restoreAllMocks()
})

test('locked recordings are deleted only with the streams for which this was confirmed', async () => {
  setBaseUrl('https://vms.example')
  const asked: string[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (target, init) => {
    asked.push(`${init?.method} ${new URL(String(target)).search}`)
    return new Response('{}', { status: 200, headers: { 'content-type': 'application/json' } })
  })
  const job = { kind: 'delete', purge: true, unlocked: ['gate'] } as const
  for (const uid of ['gate', 'yard']) await perform(streamOf({ uid }), job, new AbortController().signal)
  expect(asked).toEqual(['DELETE ?purge=true&unlock=true', 'DELETE ?purge=true'])
})
