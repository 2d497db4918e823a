import { describe, expect, test } from 'vitest'
import { createActor, fromCallback, fromPromise } from 'xstate'
import { ok, refused, settingsOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Reply } from '../../api/reply.ts'
import { type BatchEvent, batchMachine } from './batch.machine.ts'
import { maxRows, readRows } from './batch-rows.ts'
import { streamBodyOf } from './stream-values.ts'

const read = (text: string) =>
  readRows(text, settingsOf()).map(({ line, values, errors }) => [
    line,
    values.name,
    values.streamSource,
    values.tags,
    values['location.name'],
    errors,
  ])

describe('a list of streams', () => {
  test('is name, source, tags and location, or the columns that its first line names', () => {
    expect(read('Gate,rtsp://a/1,north|fence,Yard\n\nDoor,rtsp://a/2')).toEqual([
      [1, 'Gate', 'rtsp://a/1', ['north', 'fence'], 'Yard', {}],
      [3, 'Door', 'rtsp://a/2', [], '', {}],
    ])
    expect(read('\uFEFFURL;Location;Name\r\nrtsp://a/1;Yard;Gate\r\n')).toEqual([
      [2, 'Gate', 'rtsp://a/1', [], 'Yard', {}],
    ])
    expect(read('Название;Адрес;Теги;Место\nВорота;rtsp://a/1;север;Двор')).toEqual([
      [2, 'Ворота', 'rtsp://a/1', ['север'], 'Двор', {}],
    ])
    expect(read('Gate\trtsp://a/1?x=1,2')).toEqual([[1, 'Gate', 'rtsp://a/1?x=1,2', [], '', {}]])
  })

  test('leaves the node to the server', () => {
    const [row] = readRows('Gate,rtsp://a/1', settingsOf({ clusterEnabled: true, nodeId: 'a' }))
    expect(row && streamBodyOf(row.values).node).toBeUndefined()
  })

  test('may name a substream, a login and a password, in columns of their own', () => {
    const rows = readRows('Name;URL;Substream;Login;Password\nGate;rtsp://a/1;rtsp://a/2;ann;x@y', settingsOf())
    expect(rows.map(({ values }) => streamBodyOf(values))).toMatchObject([
      { name: 'Gate', streamSource: 'rtsp://ann:x%40y@a/1', substreamSource: 'rtsp://ann:x%40y@a/2' },
    ])
    expect(readRows('Камера;Адрес;Доп. поток;Логин;Пароль\nВорота;rtsp://a/1;a/2;ann;x', settingsOf())).toMatchObject([
      { values: { login: 'ann', password: 'x' }, errors: { substreamSource: 'sourceInvalid' } },
    ])
  })

  test('may quote its cells, line ends and quotes in them', () => {
    expect(read('"Gate, ""north""\nside",rtsp://a/1\nDoor,rtsp://a/2')).toEqual([
      [1, 'Gate, "north"\nside', 'rtsp://a/1', [], '', {}],
      [3, 'Door', 'rtsp://a/2', [], '', {}],
    ])
    const rows = readRows('URL;Login;Password\nrtsp://a/1; ann ;" x "\nrtsp://a/2; "bob" ; ""', settingsOf())
    expect(rows.map(({ values: { login, password } }) => [login, password])).toEqual([
      ['ann', ' x '],
      ['bob', ''],
    ])
  })

  test('is separated by what separates its addresses, not by what is in them', () => {
    expect(read('Gate,rtsp://a/1;b,yard')).toEqual([[1, 'Gate', 'rtsp://a/1;b', ['yard'], '', {}]])
    expect(read('Gate, north;rtsp://a/1,b;yard')).toEqual([[1, 'Gate, north', 'rtsp://a/1,b', ['yard'], '', {}]])
  })

  test('is checked line by line', () => {
    expect(read('Gate,\n,rtsp://a/1\nDoor,nowhere')).toEqual([
      [1, 'Gate', '', [], '', { streamSource: 'required' }],
      [2, '', 'rtsp://a/1', [], '', { name: 'required' }],
      [3, 'Door', 'nowhere', [], '', { streamSource: 'sourceInvalid' }],
    ])
    expect(read('')).toEqual([])
  })
})

const text = 'Gate,rtsp://a/1\nDoor,wrong\nYard,rtsp://a/3\nHall,rtsp://a/4'
async function run(answers: Reply<{ uid: string }>[]) {
  const asked: string[] = []
  const sources: string[] = []
  const substreams: string[] = []
  const granted: string[] = []
  const machine = batchMachine.provide({
    actors: {
      create: fromPromise(async ({ input: { values } }) => {
        asked.push(values.name)
        const { streamSource, substreamSource = '' } = streamBodyOf(values)
        sources.push(streamSource)
        substreams.push(substreamSource)
        return answers.shift() ?? ok({ uid: values.name.toLowerCase() })
      }),
      watchLeaving: fromCallback(({ receive }) => receive((event) => granted.push(event.type))),
    },
  })
  const actor = createActor(machine, { input: { settings: settingsOf() } }).start()
  const submit = async () => {
    actor.send({ type: 'batch.submitted' })
    for (let turn = 0; turn < 8; turn += 1) await settle()
  }
  actor.send({ type: 'batch.edited', text })
  await submit()
  const send = (event: BatchEvent) => actor.send(event)
  const { outcomes, value, leaving, hasMore } = {
    outcomes: () => actor.getSnapshot().context.outcomes,
    value: () => actor.getSnapshot().value.work,
    leaving: () => actor.getSnapshot().value.leaving,
    hasMore: () => actor.getSnapshot().context.hasMore,
  }
  return { asked, sources, substreams, granted, send, submit, outcomes, value, leaving, hasMore }
}

const taken = {
  name: 'Dome, "4"',
  location: 'Hall',
  streamSource: 'rtsp://a/9?b=1,2',
  substreamSource: 'rtsp://a/10',
  login: 'ann',
  password: 'secret',
  'onvif.url': 'http://cam/onvif',
  'onvif.profile': 'a',
}

describe('found cameras', () => {
  const filled: BatchEvent = { type: 'batch.filled', cameras: [taken] }
  const after = (...events: BatchEvent[]) => {
    const actor = createActor(batchMachine, { input: { settings: settingsOf() } }).start()
    for (const event of events) actor.send(event)
    return actor.getSnapshot().context
  }

  test('are added to the list without their credentials, which stay assigned to their URLs', () => {
    const { text, rows } = after({ type: 'batch.edited', text: 'Gate, rtsp://a/1, north|fence, Yard\nnowhere' }, filled)
    expect(text.split('\n')).toEqual([
      'name,streamSource,substreamSource,tags,location,onvif,profile',
      'Gate,rtsp://a/1,,north|fence,Yard,,',
      'nowhere,,,,,,',
      '"Dome, ""4""","rtsp://a/9?b=1,2",rtsp://a/10,,Hall,http://cam/onvif,a',
    ])
    expect(rows.map(({ values, errors }) => [streamBodyOf(values), Object.keys(errors)])).toMatchObject([
      [{ name: 'Gate', streamSource: 'rtsp://a/1', tags: ['north', 'fence'] }, []],
      [{ name: 'nowhere' }, ['streamSource']],
      [
        {
          streamSource: 'rtsp://ann:secret@a/9?b=1,2',
          substreamSource: 'rtsp://ann:secret@a/10',
          onvif: { url: 'http://cam/onvif', profile: 'a' },
        },
        [],
      ],
    ])
  })

  test('leave other lines as they were typed: other credentials, and lines beyond the limit', () => {
    const typed: BatchEvent = { type: 'batch.edited', text: 'Name;URL;Login\nHall;rtsp://a/9?b=1,2;bob' }
    const other: BatchEvent = { type: 'batch.filled', cameras: [{ ...taken, streamSource: 'rtsp://a/11' }] }
    expect(after(filled, typed, other).rows.map(({ values }) => values.login)).toEqual(['bob', 'ann'])
    const long = Array.from({ length: 1001 }, (_, index) => `Gate ${index},rtsp://b/${index}`).join('\n')
    expect(after({ type: 'batch.edited', text: long }, filled).text.split('\n')).toHaveLength(1003)
  })

  test('are in the list once', () => {
    expect(after(filled, filled).rows.map(({ values }) => values.name)).toEqual([taken.name])
  })

  test('keep their credentials when edited, unless others are typed', () => {
    const sourceOf = (text: string) =>
      after(filled, { type: 'batch.edited', text }).rows.map(({ values }) => streamBodyOf(values).streamSource)
    expect(sourceOf('Name;URL\nHall;rtsp://a/9?b=1,2')).toEqual(['rtsp://ann:secret@a/9?b=1,2'])
    expect(sourceOf('Name;URL;Login\nHall;rtsp://a/9?b=1,2;bob')).toEqual(['rtsp://bob@a/9?b=1,2'])
    expect(sourceOf('Name;URL\nHall;rtsp://b/9')).toEqual(['rtsp://b/9'])
  })
})

describe('adding several streams', () => {
  test('adds valid lines one after another, each with its own outcome, and retries only failed ones', async () => {
    const batch = await run([ok({ uid: 'gate' }), refused(400, 'ProbeError')])
    expect([batch.asked, Object.entries(batch.outcomes()).map(([line, { isAdded }]) => [line, isAdded])]).toEqual([
      ['Gate', 'Yard', 'Hall'],
      [
        ['1', true],
        ['3', false],
        ['4', true],
      ],
    ])
    await batch.submit()
    expect([batch.asked.slice(3), batch.value()]).toEqual([['Yard'], 'editing'])
  })

  test('skips what was added after an edit of other lines, also on another line', async () => {
    const { asked, send, submit } = await run([])
    expect(asked).toEqual(['Gate', 'Yard', 'Hall'])
    send({ type: 'batch.edited', text: text.replace('wrong', 'rtsp://a/2') })
    await submit()
    send({ type: 'batch.edited', text: 'Roof,rtsp://a/5\nGate,rtsp://a/1\nHall,rtsp://b/4' })
    await submit()
    expect(asked.slice(3)).toEqual(['Door', 'Roof', 'Hall'])
  })

  test('takes one login and password for lines that have none, and adds nothing again when they change', async () => {
    const { sources, send, submit } = await run([])
    send({ type: 'credentials.edited', credentials: { login: 'ann' } })
    send({ type: 'credentials.edited', credentials: { password: 'x@y' } })
    const own = ['Roof,rtsp://bob:z@a/5,,', 'Cellar,rtsp://a/6,carl,w', 'Attic,rtsp://a/7,,']
    send({ type: 'batch.edited', text: ['Name,URL,Login,Password', 'Gate,rtsp://a/1,,', ...own].join('\n') })
    await submit()
    expect(sources.slice(3)).toEqual(['rtsp://bob:z@a/5', 'rtsp://carl:w@a/6', 'rtsp://ann:x%40y@a/7'])
  })

  test('takes the login of a source for its substream', async () => {
    const { substreams, send, submit } = await run([])
    const lines = ['Roof,rtsp://bob:z@a/5,rtsp://a/6', 'Attic,rtsp://bob:z@a/7,rtsp://carl:w@a/8']
    send({ type: 'credentials.edited', credentials: { login: 'ann', password: 'y' } })
    send({ type: 'batch.edited', text: ['Name,URL,Substream', ...lines].join('\n') })
    await submit()
    expect(substreams.slice(3)).toEqual(['rtsp://bob:z@a/6', 'rtsp://carl:w@a/8'])
  })

  test('is cancelled after the current stream, or at once', async () => {
    let answer: (reply: Reply<{ uid: string }>) => void = () => undefined
    const machine = batchMachine.provide({
      actors: { create: fromPromise(() => new Promise((resolve) => (answer = resolve))) },
    })
    const actor = createActor(machine, { input: { settings: settingsOf() } }).start()
    const { send, value, added } = {
      send: (...events: BatchEvent[]) => events.forEach((event) => actor.send(event)),
      value: () => actor.getSnapshot().value.work,
      added: () => Object.keys(actor.getSnapshot().context.outcomes),
    }
    send({ type: 'batch.edited', text }, { type: 'batch.submitted' }, { type: 'batch.cancelled' })
    expect(value()).toEqual({ adding: 'ending' })
    answer(ok({ uid: 'gate' }))
    await settle()
    expect({ value: value(), added: added() }).toEqual({ value: 'editing', added: ['1'] })
    send({ type: 'batch.edited', text: 'Hall,rtsp://b/4' }, { type: 'batch.submitted' }, { type: 'batch.cancelled' })
    expect(value()).toEqual({ adding: 'ending' })
    answer(ok({ uid: 'hall' }))
    await settle()
    expect({ value: value(), added: added() }).toEqual({ value: 'editing', added: ['1'] })
    send({ type: 'batch.edited', text }, { type: 'batch.submitted' })
    send({ type: 'batch.cancelled' }, { type: 'batch.cancelled' })
    expect({ value: value(), added: added() }).toEqual({ value: 'editing', added: [] })
  })

  test('ends if every other one would be refused too', async () => {
    const batch = await run([ok({ uid: 'gate' }), refused(403, 'QuotaReached')])
    expect([batch.asked, batch.value()]).toEqual([['Gate', 'Yard'], 'editing'])
  })

  test('leaving asks while a line has not been added', async () => {
    const batch = await run([ok({ uid: 'gate' }), ok({ uid: 'yard' }), refused(403, 'QuotaReached')])
    const { send, submit, leaving } = batch
    expect(leaving()).toEqual({ held: 'watching' })
    send({ type: 'leave.attempted' })
    send({ type: 'leave.cancelled' })
    send({ type: 'leave.attempted' })
    expect(leaving()).toEqual({ held: 'confirming' })
    send({ type: 'leave.confirmed' })
    expect(batch.granted).toHaveLength(1)
    send({ type: 'batch.edited', text: text.replace('Door,wrong\n', '') })
    expect(leaving()).toEqual({ held: 'watching' })
    await submit()
    expect(leaving()).toBe('free')
    const tooLong = Array.from({ length: maxRows + 1 }, (_, line) => `Gate ${line},rtsp://a/${line}`).join('\n')
    send({ type: 'batch.edited', text: tooLong })
    expect(batch.hasMore()).toBe(true)
  })

  test('every edge of the chart is walked', () => {
    const own = {
      'batch.edited': [
        { type: 'batch.edited', text },
        { type: 'batch.edited', text: '' },
      ],
      'batch.filled': [{ type: 'batch.filled', cameras: [taken] }],
      'credentials.edited': [{ type: 'credentials.edited', credentials: { login: 'ann' } }],
      'batch.submitted': [{ type: 'batch.submitted' }],
      'batch.cancelled': [{ type: 'batch.cancelled' }],
      'leave.attempted': [{ type: 'leave.attempted' }],
      'leave.confirmed': [{ type: 'leave.confirmed' }],
      'leave.cancelled': [{ type: 'leave.cancelled' }],
    } satisfies { [Type in BatchEvent['type']]: Extract<BatchEvent, { type: Type }>[] }
    const walked = walkEdges(batchMachine, {
      model: batchMachine,
      input: { settings: settingsOf() },
      events: [
        ...Object.values(own).flat(),
        { type: 'xstate.done.actor.create', output: ok({ uid: 'gate' }) },
        { type: 'xstate.done.actor.create', output: refused(403, 'QuotaReached') },
        { type: 'xstate.error.actor.create', error: new Error('broken') },
      ],
      name: ({ value, context }) =>
        JSON.stringify([
          value,
          context['queue'].length,
          context['rows'].length,
          Object.keys(context['outcomes']).length,
        ]),
    })
    expect(walked.strayed).toEqual([])
    expect(walked.covered).toEqual(walked.declared)
  })
})
