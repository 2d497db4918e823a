import { describe, expect, test } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import { busy, ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { LogLine } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import { matching, maxLines, type TailEvent, tailMachine, textOf } from './tail.machine.ts'

type Answer = Reply<{ items: readonly LogLine[] }>

const line = (id: string, level = 'info', message = `line ${id}`): LogLine => ({ id, time: 1_000, level, message })
function start(answer: () => Promise<Answer>) {
  const clock = new SimulatedClock()
  const asked: (string | null)[] = []
  const machine = tailMachine.provide({
    actors: {
      fetchLines: fromPromise(({ input }) => {
        asked.push(input.after)
        return answer()
      }),
    },
  })
  const actor = createActor(machine, { clock, input: { subject: 'gate' } }).start()
  const second = async () => {
    clock.increment(1000)
    await settle()
  }
  return { asked, clock, actor, second, ids: () => actor.getSnapshot().context.lines.map(({ id }) => id) }
}

describe('the end of a log', () => {
  test('polls every second for the lines after the last one, and shows no line twice', async () => {
    const answers: Answer[] = [
      ok({ items: [line('1'), line('2')] }),
      ok({ items: [line('2'), line('3')] }),
      ok({ items: [] }),
    ]
    const tail = start(async () => answers.shift() ?? ok({ items: [] }))
    await settle()
    await tail.second()
    await tail.second()
    await tail.second()
    expect([tail.asked, tail.ids()]).toEqual([
      [null, '2', '3', '3'],
      ['1', '2', '3'],
    ])
  })

  test('goes on after the last line when the shown ones are cleared', async () => {
    const answers: Answer[] = [ok({ items: [line('1')] })]
    const tail = start(async () => answers.shift() ?? ok({ items: [line('1'), line('2')] }))
    await settle()
    tail.actor.send({ type: 'tail.cleared' })
    await tail.second()
    expect([tail.asked, tail.ids()]).toEqual([[null, '1'], ['2']])
  })

  test("doesn't poll while paused, and fetches the missed lines on resume", async () => {
    const answers: Answer[] = [ok({ items: [line('1')] }), ok({ items: [line('2'), line('3')] })]
    const tail = start(async () => answers.shift() ?? ok({ items: [] }))
    await settle()
    tail.actor.send({ type: 'tail.paused' })
    tail.clock.increment(60_000)
    expect(tail.asked).toEqual([null])
    tail.actor.send({ type: 'tail.resumed' })
    await settle()
    expect([tail.asked, tail.ids()]).toEqual([
      [null, '1'],
      ['1', '2', '3'],
    ])
  })

  test('keeps its lines after a failure; without the right to the log it stops polling', async () => {
    const answers: Answer[] = [
      ok({ items: [line('1')] }),
      refused(500, 'InternalServerError'),
      ok({ items: [] }),
      refused(403, 'Forbidden'),
    ]
    const tail = start(async () => answers.shift() ?? ok({ items: [] }))
    await settle()
    await tail.second()
    expect([tail.ids(), tail.actor.getSnapshot().context.apiError?.code]).toEqual([['1'], 'InternalServerError'])
    await tail.second()
    expect(tail.actor.getSnapshot().context.apiError).toBeNull()
    await tail.second()
    await tail.second()
    expect([tail.asked.length, tail.actor.getSnapshot().value]).toEqual([4, 'forbidden'])
  })

  test('waits as long as the server requires after a refusal', async () => {
    const answers: Answer[] = [busy(30)]
    const tail = start(async () => answers.shift() ?? ok({ items: [line('1')] }))
    await settle()
    tail.clock.increment(29_999)
    await settle()
    expect(tail.asked).toEqual([null])
    tail.clock.increment(1)
    await settle()
    expect([tail.asked, tail.ids()]).toEqual([[null, null], ['1']])
  })

  test('stretches the interval up to 8 s while there is no response', () => {
    const tail = start(() => new Promise(() => undefined))
    for (const pause of [1000, 2000, 4000, 8000, 8000]) tail.clock.increment(pause)
    expect(tail.asked.length).toBe(6)
  })

  test('keeps the newest lines only', async () => {
    const many = Array.from({ length: maxLines + 5 }, (_, index) => line(String(index)))
    const tail = start(async () => ok({ items: many }))
    await settle()
    expect([tail.ids().length, tail.ids()[0]]).toEqual([maxLines, '5'])
  })
})

test('filters by level and by words, whatever their case', () => {
  const lines = [line('1', 'info', 'Connected'), line('2', 'error', 'Lost connection'), line('3', 'error', 'No video')]
  const shown = [
    ['', ''],
    ['error', ''],
    ['', 'CONNECT'],
    ['error', 'connect'],
    ['debug', ''],
  ].map(([level = '', filter = '']) => matching(lines, level, filter).map(({ id }) => id))
  expect(shown).toEqual([['1', '2', '3'], ['2', '3'], ['1', '2'], ['2'], []])
})

test('writes the lines as text with times in UTC', () => {
  expect(textOf([line('1', 'info', 'Connected'), { id: '2', level: '', message: 'bare' }])).toBe(
    '1970-01-01T00:00:01.000Z  INFO  Connected\nbare',
  )
})

test('every edge of the chart is walked', () => {
  const own = {
    'tail.paused': [{ type: 'tail.paused' }],
    'tail.resumed': [{ type: 'tail.resumed' }],
    'tail.cleared': [{ type: 'tail.cleared' }],
    'tail.levelChosen': [{ type: 'tail.levelChosen', level: 'error' }],
    'tail.filterEdited': [{ type: 'tail.filterEdited', filter: 'x' }],
    'poll.due': [{ type: 'poll.due' }],
    'poll.rested': [{ type: 'poll.rested' }],
  } satisfies { [Type in TailEvent['type']]: Extract<TailEvent, { type: Type }>[] }
  const walked = walkEdges(tailMachine, {
    model: tailMachine.provide({ actions: { notifyAnswered: () => undefined } }),
    input: { subject: 'gate' },
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.done.actor.fetchLines', output: ok({ items: [] }) },
      { type: 'xstate.done.actor.fetchLines', output: refused(403, 'Forbidden') },
      { type: 'xstate.done.actor.fetchLines', output: refused(500, 'InternalServerError') },
      { type: 'xstate.error.actor.fetchLines', error: new Error('broken') },
    ],
    name: ({ value }) => JSON.stringify(value),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
