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

test('a login and a password are set in both sources, and removed; a stream without a place for them stays', async () => {
  setBaseUrl('https://vms.example')
  const camera = streamOf({ streamSource: 'rtsp://***@cam/1', substreamSource: 'rtsp://me:x@cam/2', name: 'Gate' })
  let current: object = camera
  const sent: unknown[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_target, init) => {
    if (init?.method === 'PUT') sent.push(JSON.parse(String(init.body)))
    return new Response(JSON.stringify(current), { headers: { 'content-type': 'application/json' } })
  })
  const run = (login: string, password: string) =>
    perform(camera, { kind: 'credentials', login, password }, new AbortController().signal)
  await run('ann', 'a@b')
  await run('', '')
  expect(sent).toEqual([
    expect.objectContaining({
      name: 'Gate',
      streamSource: 'rtsp://ann:a%40b@cam/1',
      substreamSource: 'rtsp://ann:a%40b@cam/2',
    }),
    expect.objectContaining({ name: 'Gate', streamSource: 'rtsp://cam/1', substreamSource: 'rtsp://cam/2' }),
  ])
  current = streamOf({ streamSource: 'demo:gate', name: 'Gate' })
  expect([await run('ann', 'x'), sent.length]).toEqual([expect.objectContaining({ ok: true }), 2])
})
