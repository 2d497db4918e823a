import { afterEach, expect, test, vi } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { patience } from '../../../tests/fixtures/patience.ts'
import { hoverPreview } from './timeline.ts'

afterEach(() => vi.unstubAllGlobals())

test('a failed request is not remembered as a moment without a picture', async () => {
  const answers = [
    () => new Response('{"code":"Unavailable"}', { status: 503, headers: { 'content-type': 'application/json' } }),
    () => new Response(null, { status: 204 }),
  ]
  vi.stubGlobal('location', new URL('https://host/ui/'))
  vi.stubGlobal('fetch', async () => answers.shift()?.() ?? Response.error())
  const clock = new SimulatedClock()
  const actor = createActor(hoverPreview, { input: { streamId: 'gate' }, clock }).start()
  const kept: unknown[] = []
  for (let request = 0; request < 2; request += 1) {
    actor.send({ type: 'preview.requested', at: 1000, key: 1000 })
    clock.increment(150)
    await vi.waitUntil(() => actor.getSnapshot().matches('idle'), patience)
    kept.push([...actor.getSnapshot().context.pictures])
    actor.send({ type: 'preview.cancelled' })
  }
  expect([kept, answers]).toEqual([[[], [[1000, null]]], []])
})
