import { describe, expect, test } from 'vitest'
import { createActor, type EventFrom, fromPromise, setup, SimulatedClock } from 'xstate'
import { configurationOf, ok, refused, settingsOf, streamOf, userOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import { addStreamMachine } from './add-stream.machine.ts'
import { batchMachine } from './batch.machine.ts'
import { newStreamForm } from './stream-form.ts'
import { nodesMachine } from './nodes.machine.ts'

const inputOf = (user: object, settings: object = {}): PageInput => ({
  params: {},
  address: { pathname: '/add-stream', search: '', hash: '' },
  settings: settingsOf(settings),
  configuration: configurationOf(),
  user: userOf(user),
})
function start(input: PageInput, reply: Reply<{ uid: string }> = ok({ uid: 'gate' })) {
  const clock = new SimulatedClock()
  const received: object[] = []
  const sent: object[] = []
  const page = addStreamMachine.provide({
    actors: {
      form: newStreamForm.provide({
        actors: {
          submit: fromPromise(async ({ input: { values } }) => {
            sent.push(values)
            return reply
          }),
        },
      }),
      countStreams: fromPromise(async () =>
        ok({
          items: [streamOf({ meta: { canAdmin: true } }), streamOf({ uid: 'yard' })],
          page: 1,
          pageSize: 50,
          total: 2,
        }),
      ),
    },
  })
  const parent = setup({ actors: { page } }).createMachine({
    invoke: { id: 'page', src: 'page', input },
    on: { '*': { actions: ({ event }) => received.push(event) } },
  })
  const actor = createActor(parent, { clock }).start()
  const snapshot = () => {
    const found = actor.getSnapshot().children.page?.getSnapshot()
    if (found === undefined) throw new Error('no page')
    return found
  }
  const add = async () => {
    const { form } = snapshot().context
    form?.send({ type: 'form.edited', values: { name: 'Gate', streamSource: 'rtsp://cam/1' } })
    form?.send({ type: 'form.submitted' })
    await settle()
    clock.increment(0)
  }
  const send = (event: EventFrom<typeof addStreamMachine>) => actor.getSnapshot().children.page?.send(event)
  return { received, sent, snapshot, add, send }
}

const taken = {
  name: 'Gate',
  location: 'Yard',
  streamSource: 'rtsp://cam/1',
  substreamSource: 'rtsp://cam/2',
  login: 'ann',
  password: 'secret',
  'onvif.url': 'http://cam/onvif',
  'onvif.profile': 'a',
}

describe('cameras that are found', () => {
  const finding = inputOf({}, { features: ['onvif'] })

  test('are searched only if the server has the feature', () => {
    const [lean, page] = [start(inputOf({})), start(finding)]
    for (const { send } of [lean, page]) send({ type: 'finding.chosen' })
    expect(lean.snapshot().value).toEqual({ open: { filling: 'one' } })
    expect(page.snapshot().value).toEqual({ open: { filling: 'finding' } })
    expect(page.snapshot().context.cameras.getSnapshot().value).toMatchObject({ search: 'searching' })
  })

  test('fill the form if there is one, the list if there are several', () => {
    const one = start(finding)
    one.send({ type: 'finding.chosen' })
    one.send({ type: 'cameras.selected', cameras: [taken] })
    const { location, ...values } = taken
    expect(one.snapshot().value).toEqual({ open: { filling: 'one' } })
    expect(one.snapshot().context.form?.getSnapshot().context.values).toMatchObject({
      ...values,
      'location.name': location,
    })
    const locationAfter = (name: string) => {
      one.send({ type: 'finding.chosen' })
      one.send({ type: 'cameras.selected', cameras: [{ ...taken, location: name }] })
      return one.snapshot().context.form?.getSnapshot().context.values['location.name']
    }
    expect(locationAfter('')).toBe('')
    one.snapshot().context.form?.send({ type: 'form.edited', values: { 'location.name': 'Cellar' } })
    expect([locationAfter(''), locationAfter('Yard')]).toEqual(['Cellar', 'Yard'])
    const several = start(finding)
    several.send({ type: 'finding.chosen' })
    several.send({
      type: 'cameras.selected',
      cameras: [taken, { ...taken, name: 'Door', streamSource: 'rtsp://cam/3' }],
    })
    expect(several.snapshot().value).toEqual({ open: { filling: 'several' } })
    const { rows } = several.snapshot().context.batch.getSnapshot().context
    expect(rows.map(({ values: { name } }) => name)).toEqual(['Gate', 'Door'])
  })
})

describe('adding a stream', () => {
  test('a read-only user and a server without a licence get a message instead of a form', () => {
    const states = [
      inputOf({ isAdmin: false, maxStreamCreation: 0 }),
      inputOf({ maxStreamCreation: 0 }),
      inputOf({}, { isLicenseExpired: true }),
      inputOf({ isAdmin: false, maxStreamCreation: -1 }),
    ].map((input) => start(input).snapshot().value)
    expect(states).toEqual(['readOnly', { open: { filling: 'one' } }, 'unlicensed', { open: { filling: 'one' } }])
  })

  test('counts the administered streams of a user with a limit', async () => {
    const page = start(inputOf({ isAdmin: false, maxStreamCreation: 1 }))
    expect(page.snapshot().value).toEqual({ open: 'counting' })
    await settle()
    expect([page.snapshot().value, page.snapshot().context.administered]).toEqual([{ open: { filling: 'one' } }, 1])
  })

  test('leads to the player of the new stream', async () => {
    const page = start(inputOf({}))
    await page.add()
    expect(page.sent.length).toBe(1)
    expect(page.received).toEqual([{ type: 'navigation.requested', href: '/stream/gate/view' }])
  })

  test('leads to the list, with an empty form, while that has lines that are not added', async () => {
    const page = start(inputOf({}))
    page.snapshot().context.batch.send({ type: 'batch.edited', text: 'Door,rtsp://cam/2' })
    await page.add()
    const { value, context } = page.snapshot()
    expect([value, page.received]).toEqual([{ open: { filling: 'several' } }, []])
    expect(context.form?.getSnapshot()).toMatchObject({ value: { leaving: 'free' }, context: { values: { name: '' } } })
    context.batch.send({ type: 'batch.edited', text: '' })
    page.send({ type: 'one.chosen' })
    await page.add()
    expect(page.received).toEqual([{ type: 'navigation.requested', href: '/stream/gate/view' }])
  })

  test('keeps the input when the quota is reached, and says so', async () => {
    const page = start(inputOf({}), refused(403, 'QuotaReached'))
    await page.add()
    const { value, context } = page.snapshot()
    expect([value, context.isQuotaReached, context.form?.getSnapshot().context.values.name]).toEqual([
      { open: { filling: 'one' } },
      true,
      'Gate',
    ])
  })

  test('sends nothing invalid', async () => {
    const page = start(inputOf({}))
    page.snapshot().context.form?.send({ type: 'form.submitted' })
    await settle()
    expect([page.sent, page.snapshot().context.form?.getSnapshot().context.errors]).toEqual([
      [],
      { name: 'required', streamSource: 'required' },
    ])
  })

  test('fetches nodes only in a cluster', () => {
    const has = (settings: object) => start(inputOf({}, settings)).snapshot().context.nodes !== null
    expect([has({}), has({ clusterEnabled: true })]).toEqual([false, true])
  })

  test('every edge of the chart is walked', () => {
    const events = [
      { type: 'several.chosen' },
      { type: 'one.chosen' },
      { type: 'finding.chosen' },
      { type: 'cameras.selected', cameras: [taken] },
      { type: 'cameras.selected', cameras: [taken, taken] },
      { type: 'form.saved', answer: { uid: 'gate' }, values: {} },
      { type: 'form.refused', code: 'QuotaReached' },
      { type: 'form.refused', code: 'LicenseExpired' },
      { type: 'form.refused', code: 'ProbeError' },
      { type: 'xstate.done.actor.countStreams', output: ok({ items: [] }) },
      { type: 'xstate.done.actor.countStreams', output: refused(500, 'InternalServerError') },
      { type: 'xstate.error.actor.countStreams', error: new Error('broken') },
      { type: 'xstate.after.handover.addStream.added' },
    ]
    const held = addStreamMachine.provide({
      actors: { batch: batchMachine.provide({ guards: { isUnsaved: () => true, isSaved: () => false } }) },
    })
    const walk = (input: PageInput, machine = addStreamMachine) =>
      walkEdges(machine, {
        model: machine.provide({
          actions: {
            openForm: () => undefined,
            resetForm: () => undefined,
            forgetProbes: () => undefined,
            reportAdded: () => undefined,
            goToPlayer: () => undefined,
            openSearch: () => undefined,
            fillForm: () => undefined,
            fillBatch: () => undefined,
          },
        }),
        input,
        events,
        name: ({ value, context }) => JSON.stringify([value, context['isQuotaReached']]),
      })
    const walks = [
      walk(inputOf({})),
      walk(inputOf({}), held),
      walk(inputOf({ isAdmin: false, maxStreamCreation: 1 }, { clusterEnabled: true, features: ['onvif'] })),
      walk(inputOf({ isAdmin: false, maxStreamCreation: 0 })),
      walk(inputOf({}, { isLicenseExpired: true })),
    ]
    expect(walks.flatMap(({ strayed }) => strayed)).toEqual([])
    expect([...new Set(walks.flatMap(({ covered }) => covered))].toSorted()).toEqual(walks[0]?.declared)
  })
})

test('every edge of the nodes is walked', () => {
  const walked = walkEdges(nodesMachine, {
    model: nodesMachine,
    events: [
      { type: 'xstate.done.actor.fetchNodes', output: ok({ items: [{ id: 'a', name: 'A', available: true }] }) },
      { type: 'xstate.done.actor.fetchNodes', output: refused(403, 'Forbidden') },
      { type: 'xstate.error.actor.fetchNodes', error: new Error('broken') },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
