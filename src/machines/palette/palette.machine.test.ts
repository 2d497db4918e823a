import { describe, expect, test } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { SearchAnswer } from '../../api/contract/system.ts'
import type { Reply } from '../../api/reply.ts'
import type { PaletteScope } from './choices.ts'
import { offeredBy, type PaletteEvent, paletteMachine } from './palette.machine.ts'
import { selectMarked } from './palette.selectors.ts'

const scope: PaletteScope = {
  now: Date.parse('2026-11-26T14:30:00+01:00'),
  zone: 'Europe/Berlin',
  stream: { uid: 'gate', name: 'Gate' },
  mosaic: null,
  search: '?speed=2&at=2026-11-26T08:00:00.000Z',
  pages: [
    { href: '/administration/users', label: 'Users' },
    { href: '/user/add', label: 'Add user' },
    { href: '/help', label: 'Help' },
  ],
  isAdmin: true,
}
const found: SearchAnswer = {
  streams: [
    { uid: 'yard', name: 'Yard' },
    { uid: 'a/b', name: '' },
  ],
  mosaics: [{ id: '7', name: 'Yards' }],
  users: [{ name: 'yardman' }],
}
/** The palette, open over a page, in front of a server that answers when the test decides. */
function open(where: PaletteScope = scope) {
  const asked: { query: string; signal: AbortSignal; answer: (reply: Reply<SearchAnswer>) => Promise<unknown> }[] = []
  const went: string[] = []
  const clock = new SimulatedClock()
  const machine = paletteMachine.provide({
    actors: {
      search: fromPromise(
        ({ input, signal }) =>
          new Promise<Reply<SearchAnswer>>((resolve) => {
            asked.push({ query: input.query, signal, answer: (reply) => (resolve(reply), settle()) })
          }),
      ),
    },
    actions: { navigate: (_args, { href }) => went.push(href) },
  })
  const actor = createActor(machine, { clock }).start()
  actor.send({ type: 'palette.toggled', scope: where })
  return {
    actor,
    asked,
    went,
    type: (query: string) => actor.send({ type: 'query.edited', query }),
    rest: () => clock.increment(150),
    offered: () => offeredBy(actor.getSnapshot().context).map(({ id }) => id),
    marked: () => selectMarked(actor.getSnapshot()),
    value: () => actor.getSnapshot().value,
    last: () => {
      const last = asked.at(-1)
      if (last === undefined) throw new Error('nothing asked')
      return last
    },
  }
}

describe('the palette', () => {
  test('searches after a pause in typing, and cancels the search before', async () => {
    const palette = open()
    palette.type('y')
    palette.rest()
    palette.type('ya')
    expect(palette.asked.map(({ query, signal }) => [query, signal.aborted])).toEqual([['y', true]])
    palette.rest()
    await palette.last().answer(ok(found))
    expect([palette.value(), palette.asked.map(({ query }) => query), palette.offered()]).toEqual([
      { open: 'answered' },
      ['y', 'ya'],
      ['stream yard', 'stream a/b', 'mosaic 7', 'user yardman'],
    ])
  })

  test('keeps the matching results of the last search until the next ones arrive', async () => {
    const palette = open()
    palette.type('ya')
    palette.rest()
    await palette.last().answer(ok(found))
    palette.type('yards')
    expect(palette.offered()).toEqual(['mosaic 7'])
    palette.type(' ')
    expect([palette.value(), palette.offered()]).toEqual([{ open: 'resting' }, []])
  })

  test('reads times of the stream, or the mosaic, and names of pages at once', () => {
    const palette = open()
    palette.type('yesterday 14:05')
    palette.actor.send({ type: 'choice.taken' })
    expect([palette.went, palette.value()]).toEqual([
      ['/stream/gate/view?speed=2&at=2026-11-25T13:05:00.000Z'],
      'closed',
    ])
    const wall = open({ ...scope, stream: null, mosaic: { id: 'm 1', name: 'Wall' }, search: '?cycle=20s' })
    wall.type('yesterday 14:05')
    wall.actor.send({ type: 'choice.taken' })
    expect(wall.went).toEqual(['/mosaic/m%201?cycle=20s&at=2026-11-25T13:05:00.000Z'])
    const other = open({ ...scope, stream: null })
    other.type('yesterday 14:05')
    expect(other.offered()).toEqual([])
    other.type('us')
    expect(other.offered()).toEqual(['page /administration/users', 'page /user/add'])
  })

  test('the arrows move the mark around the list, and Enter opens the marked choice', async () => {
    const palette = open()
    palette.type('user')
    palette.rest()
    await palette.last().answer(ok({ streams: [], mosaics: [], users: [] }))
    const marks = (['next', 'next', 'previous', 'previous'] as const).map((to) => {
      palette.actor.send({ type: 'choice.moved', to })
      return palette.marked()
    })
    expect(marks).toEqual([
      'page /user/add',
      'page /administration/users',
      'page /user/add',
      'page /administration/users',
    ])
    palette.actor.send({ type: 'choice.pointed', id: 'page /user/add' })
    palette.actor.send({ type: 'choice.taken' })
    expect(palette.went).toEqual(['/user/add'])
  })

  test('Enter before the pause searches at once, and opens nothing', async () => {
    const palette = open()
    palette.type('yard')
    palette.actor.send({ type: 'choice.taken' })
    expect([palette.value(), palette.went]).toEqual([{ open: 'searching' }, []])
    await palette.last().answer(ok(found))
    palette.actor.send({ type: 'choice.taken', id: 'stream a/b' })
    expect(palette.went).toEqual(['/stream/a%2Fb/view'])
  })

  test('an error keeps the query, times and pages, and can be retried', async () => {
    const palette = open()
    palette.type('help')
    palette.rest()
    await palette.last().answer(refused(503, 'Unavailable'))
    const { query, apiError } = palette.actor.getSnapshot().context
    expect([query, apiError?.code, palette.offered()]).toEqual(['help', 'Unavailable', ['page /help']])
    palette.actor.send({ type: 'search.retried' })
    await palette.last().answer(ok({ ...found, streams: [] }))
    expect([palette.asked.length, palette.actor.getSnapshot().context.apiError]).toEqual([2, null])
  })

  test('offers no users to others than administrators', async () => {
    const palette = open({ ...scope, isAdmin: false })
    palette.type('ya')
    palette.rest()
    await palette.last().answer(ok(found))
    expect(palette.offered()).toEqual(['stream yard', 'stream a/b', 'mosaic 7'])
  })

  test('opens with the last choices, which are cleared for another user', () => {
    const palette = open()
    const go = (query: string) => {
      palette.type(query)
      palette.actor.send({ type: 'choice.taken' })
      palette.actor.send({ type: 'palette.toggled', scope })
    }
    go('help')
    go('add')
    go('help')
    expect([palette.actor.getSnapshot().context.query, palette.offered()]).toEqual([
      '',
      ['page /help', 'page /user/add'],
    ])
    palette.actor.send({ type: 'user.switched' })
    palette.actor.send({ type: 'palette.toggled', scope })
    expect(palette.offered()).toEqual([])
  })
})

test('every edge of the chart is walked', () => {
  const own = {
    'palette.toggled': [{ type: 'palette.toggled', scope }],
    'palette.dismissed': [{ type: 'palette.dismissed' }],
    'query.edited': [
      { type: 'query.edited', query: 'help' },
      { type: 'query.edited', query: 'yard' },
      { type: 'query.edited', query: ' ' },
    ],
    'choice.moved': [{ type: 'choice.moved', to: 'next' }],
    'choice.pointed': [{ type: 'choice.pointed', id: 'page /help' }],
    'choice.taken': [{ type: 'choice.taken' }],
    'search.retried': [{ type: 'search.retried' }],
    'user.switched': [{ type: 'user.switched' }],
  } satisfies { [Type in PaletteEvent['type']]: Extract<PaletteEvent, { type: Type }>[] }
  const walked = walkEdges(paletteMachine, {
    model: paletteMachine.provide({ actions: { navigate: () => undefined } }),
    events: [
      ...Object.values(own).flat(),
      { type: 'xstate.after.typingPause.palette.open.typing' },
      { type: 'xstate.done.actor.search', output: ok(found) },
      { type: 'xstate.done.actor.search', output: refused(503, 'Unavailable') },
      { type: 'xstate.error.actor.search', error: new Error('broken') },
    ],
    name: ({ value, context }) => JSON.stringify([value, context['query'], context['recent'].length > 0]),
  })
  expect(walked.strayed).toEqual([])
  expect(walked.covered).toEqual(walked.declared)
})
