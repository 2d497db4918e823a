import { describe, expect, test } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { ok, refused, settingsOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Reply } from '../../api/reply.ts'
import { type BatchEvent, batchMachine } from './batch.machine.ts'
import { readRows } from './batch-rows.ts'
import { streamDraftOf } from './stream-values.ts'

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

  test('may name a substream, a login and a password, in columns of their own', () => {
    const rows = readRows('Name;URL;Substream;Login;Password\nGate;rtsp://a/1;rtsp://a/2;ann;x@y', settingsOf())
    expect(rows.map(({ values }) => streamDraftOf(values))).toMatchObject([
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
  const machine = batchMachine.provide({
    actors: {
      create: fromPromise(async ({ input: { values } }) => {
        asked.push(values.name)
        return answers.shift() ?? ok({ uid: values.name.toLowerCase() })
      }),
    },
  })
  const actor = createActor(machine, { input: { settings: settingsOf() } }).start()
  const submit = async () => {
    actor.send({ type: 'batch.submitted' })
    for (let turn = 0; turn < 8; turn += 1) await settle()
  }
  actor.send({ type: 'batch.edited', text })
  await submit()
  return { asked, submit, outcomes: () => actor.getSnapshot().context.outcomes, value: () => actor.getSnapshot().value }
}

describe('adding several streams', () => {
  test('adds the good lines one after another, each with its own outcome, and tries again only what failed', async () => {
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

  test('ends where every further one would be refused', async () => {
    const batch = await run([ok({ uid: 'gate' }), refused(403, 'QuotaReached')])
    expect([batch.asked, batch.value()]).toEqual([['Gate', 'Yard'], 'editing'])
  })

  test('every edge of the chart is walked', () => {
    const own = {
      'batch.edited': [
        { type: 'batch.edited', text },
        { type: 'batch.edited', text: '' },
      ],
      'batch.submitted': [{ type: 'batch.submitted' }],
      'batch.cancelled': [{ type: 'batch.cancelled' }],
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
