import { expect, test } from 'vitest'
import { createActor, fromPromise, setup, SimulatedClock } from 'xstate'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Probe } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import { notificationsMachine } from '../notifications/notifications.machine.ts'
import { type ProbingEvent, probingMachine } from './probing.machine.ts'

const probe: Probe = { format: 'rtsp', tracks: [{ type: 'video', codec: 'h264', width: 1920, height: 1080 }] }
const picture = new Blob(['jpeg'])
function start(answer: Promise<Reply<Probe>>, look: Reply<Blob> = ok(picture)) {
  const clock = new SimulatedClock()
  const log: string[] = []
  const machine = probingMachine.provide({
    actors: {
      probe: fromPromise(({ input, signal }) => {
        log.push(`probe ${input.url}`)
        signal.addEventListener('abort', () => log.push('abort'))
        return answer
      }),
      fetchPicture: fromPromise(async () => {
        log.push('picture')
        return look
      }),
    },
  })
  const actor = createActor(machine, { clock }).start()
  return { clock, log, actor }
}

const request: ProbingEvent = { type: 'probe.requested', subject: { url: 'rtsp://cam' } }

test('fetches the tracks first and then the picture, one connection at a time', async () => {
  const { log, actor } = start(Promise.resolve(ok(probe)))
  actor.send(request)
  await settle()
  await settle()
  const { value, context } = actor.getSnapshot()
  expect(log).toEqual(['probe rtsp://cam', 'picture'])
  expect([value, context.tracks, context.picture]).toEqual([{ probed: 'complete' }, probe, picture])
})

test('counts the seconds and can be cancelled, which ends the request', () => {
  const { clock, log, actor } = start(new Promise(() => undefined))
  actor.send(request)
  for (let second = 0; second < 7; second += 1) clock.increment(1000)
  expect(actor.getSnapshot().context.seconds).toBe(7)
  actor.send({ type: 'probe.cancelled' })
  expect([actor.getSnapshot().value, log]).toEqual(['idle', ['probe rtsp://cam', 'abort']])
})

test('keeps the error until the source changes', async () => {
  const { actor } = start(Promise.resolve(refused(400, 'ProbeError')))
  actor.send(request)
  await settle()
  expect([actor.getSnapshot().value, actor.getSnapshot().context.apiError?.code]).toEqual(['refused', 'ProbeError'])
  actor.send({ type: 'probe.outdated' })
  expect([actor.getSnapshot().value, actor.getSnapshot().context.apiError]).toEqual(['idle', null])
})

test.each([
  ['ProbeError', []],
  ['HTTP_UNAUTHORIZED', []],
  ['InternalServerError', ['InternalServerError']],
  ['NoResponse', ['NoResponse']],
])('%s is shown beside the source, and in a toast only if it is not of the source', async (code, toasts) => {
  const child = probingMachine.provide({
    actors: { probe: fromPromise(async (): Promise<Reply<Probe>> => refused(500, code)) },
  })
  const parent = setup({ actors: { child, notifications: notificationsMachine } }).createMachine({
    invoke: [
      { id: 'notifications', systemId: 'notifications', src: 'notifications' },
      { id: 'probing', src: 'child' },
    ],
  })
  const { probing, notifications } = createActor(parent).start().getSnapshot().children
  probing?.send(request)
  await settle()
  expect([
    probing?.getSnapshot().context.apiError?.code,
    notifications?.getSnapshot().context.shown.map((toast) => toast.code),
  ]).toEqual([code, toasts])
})

test('every edge of the chart is walked', () => {
  const own = {
    'probe.requested': [request],
    'probe.cancelled': [{ type: 'probe.cancelled' }],
    'probe.outdated': [{ type: 'probe.outdated' }],
  } satisfies { [Type in ProbingEvent['type']]: Extract<ProbingEvent, { type: Type }>[] }
  const walked = walkEdges(probingMachine, {
    model: probingMachine,
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.done.actor.probe', output: ok(probe) },
      { type: 'xstate.done.actor.probe', output: refused(400, 'ProbeError') },
      { type: 'xstate.error.actor.probe', error: new Error('broken') },
      { type: 'xstate.done.actor.fetchPicture', output: ok(picture) },
      { type: 'xstate.error.actor.fetchPicture', error: new Error('broken') },
      { type: 'xstate.after.second.probing.probing.counting' },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
