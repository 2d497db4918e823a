import { createActor, createMachine, fromPromise, SimulatedClock } from 'xstate'
import { describe, expect, test } from 'vitest'
import { configurationOf, ok, refused, settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { never } from '../../../tests/machines/console.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { bootMachine } from './boot.machine.ts'

const configuration = configurationOf({ appTitle: 'Yard' })
const settings = settingsOf({ version: '4.2' })
const user = userOf()
const nothing = {
  configuration: null,
  isConfigured: false,
  settings: null,
  settingsApiError: null,
  user: null,
  userApiError: null,
}

async function boot(
  answers: {
    configuration?: () => Promise<ReturnType<typeof ok<typeof configuration>>>
    settings?: () => Promise<ReturnType<typeof ok<typeof settings>>>
    user?: () => Promise<ReturnType<typeof ok<typeof user>>>
  },
  waiting = 0,
) {
  const order: string[] = []
  const found: unknown[] = []
  const clock = new SimulatedClock()
  const child = bootMachine.provide({
    actors: {
      fetchConfiguration: fromPromise(async () => {
        order.push('configuration')
        return answers.configuration?.() ?? ok(configuration)
      }),
      fetchSettings: fromPromise(async () => {
        order.push('settings')
        return answers.settings?.() ?? ok(settings)
      }),
      fetchUser: fromPromise(async () => {
        order.push('user')
        return answers.user?.() ?? ok(user)
      }),
    },
  })
  const parent = createMachine({
    invoke: { id: 'boot', src: child, onDone: { actions: ({ event }) => found.push(event.output) } },
    on: { '*': { actions: ({ event }) => order.push(event.type) } },
  })
  const actor = createActor(parent, { clock }).start()
  await settle()
  clock.increment(waiting)
  await settle()
  actor.stop()
  return { order, found: found[0] }
}

describe('the start-up order (docs/behaviour.md §2)', () => {
  test('configuration, then settings, then the parent is notified, so that health starts beside the user', async () => {
    expect(await boot({})).toEqual({
      order: ['configuration', 'settings', 'boot.settled', 'user'],
      found: { ...nothing, configuration, isConfigured: true, settings, user },
    })
  })

  test.each([
    ['the deployment has none', refused(404, 'NotFound'), true],
    ['nothing answers', refused(0, 'NoResponse'), false],
    ['the server fails', refused(500, 'InternalServerError'), false],
    ['what answers is something else', refused(200, 'UnreadableReply'), false],
  ])('goes on without a configuration where %s', async (_, reply, isConfigured) => {
    expect(await boot({ configuration: async () => reply })).toEqual({
      order: ['configuration', 'settings', 'boot.settled', 'user'],
      found: { ...nothing, isConfigured, settings, user },
    })
  })

  test("without settings the user isn't fetched, and health starts all the same", async () => {
    const { order, found } = await boot({ settings: async () => refused(503, 'Unavailable') })
    expect({ order, found }).toEqual({
      order: ['configuration', 'settings', 'boot.settled'],
      found: {
        ...nothing,
        configuration,
        isConfigured: true,
        settingsApiError: expect.objectContaining({ status: 503, code: 'Unavailable' }),
      },
    })
  })

  test('a refused request means no user, and keeps the error', async () => {
    const { found } = await boot({ user: async () => refused(401, 'AuthorizationRequired') })
    expect(found).toEqual({
      ...nothing,
      configuration,
      isConfigured: true,
      settings,
      userApiError: expect.objectContaining({ status: 401 }),
    })
  })

  test.each([
    ['configuration', { ...nothing, settings, user }],
    [
      'settings',
      {
        ...nothing,
        configuration,
        isConfigured: true,
        settingsApiError: expect.objectContaining({ status: 0, code: 'NoResponse' }),
      },
    ],
    [
      'user',
      {
        ...nothing,
        configuration,
        isConfigured: true,
        settings,
        userApiError: expect.objectContaining({ status: 0, code: 'NoResponse' }),
      },
    ],
  ])('ends even where %s never answers', async (name, found) => {
    expect((await boot({ [name]: never }, 10_000)).found).toEqual(found)
  })

  test.each(['configuration', 'settings', 'user'])('ends where asking for %s breaks', async (name) => {
    const { found } = await boot({ [name]: () => Promise.reject(new Error('broken')) })
    expect(found).toMatchObject(name === 'configuration' ? { settings, user } : { user: null })
  })
})

test('every edge of the chart is walked', () => {
  const broken = { error: new Error('broken') }
  const walked = walkEdges(bootMachine, {
    model: bootMachine.provide({ actions: { notifySettled: () => undefined } }),
    events: [
      { type: 'xstate.done.actor.fetchConfiguration', output: ok(configuration) },
      { type: 'xstate.done.actor.fetchSettings', output: ok(settings) },
      { type: 'xstate.done.actor.fetchSettings', output: refused(500, 'InternalServerError') },
      { type: 'xstate.done.actor.fetchUser', output: ok(user) },
      ...['fetchConfiguration', 'fetchSettings', 'fetchUser'].map((id) => ({
        type: `xstate.error.actor.${id}`,
        ...broken,
      })),
      ...['fetchingConfiguration', 'fetchingSettings', 'identifying'].map((state) => ({
        type: `xstate.after.timeout.boot.${state}`,
      })),
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
