import { fromCallback, fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import type { Bookmark } from '../../api/contract/system.ts'
import type { Reply } from '../../api/reply.ts'
import { ok, refused, settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { type BookmarksEvent, bookmarksMachine } from './bookmarks.machine.ts'
import { bookmarkLocationOf, momentOfKey, noteFormMachine, previewKey } from './bookmark-location.ts'
import { shownBookmarks } from './shown.ts'

const van: Bookmark = { id: 'b1', streamId: 'gate', time: 1000, note: 'the van' }
const cat: Bookmark = { id: 'b2', streamId: 'yard', time: 2000, note: '' }
const input = {
  ...pageInput({ user: userOf() }),
  settings: settingsOf({ features: ['bookmarks'], timezone: 'Asia/Tokyo' }),
}

interface Answers {
  lists?: Reply<readonly Bookmark[]>[]
  change?: () => Promise<Reply<Bookmark>>
  remove?: () => Promise<Reply<object>>
}

/** The page in front of a store that keeps `van` and `cat`, unless `lists` has the answer of each reading. */
function open({
  lists = [],
  change = async () => ok({ ...van, note: 'a van' }),
  remove = async () => ok({}),
}: Answers = {}) {
  const asked: string[] = []
  const outside = { send: (_event: BookmarksEvent) => {} }
  const page = openPage(
    bookmarksMachine.provide({
      actors: {
        form: noteFormMachine.provide({
          actors: {
            submit: fromPromise(async ({ input: { values } }) => {
              asked.push(`change ${JSON.stringify(values)}`)
              return change()
            }),
          },
        }),
        fetchBookmarks: fromPromise(async ({ input: { bookmarkLocation, serverZone } }) => {
          asked.push(`list ${bookmarkLocation.kind}`)
          return { reply: lists.shift() ?? ok([van, cat]), zone: serverZone }
        }),
        deleteBookmark: fromPromise(async ({ input: { id } }) => {
          asked.push(`delete ${id}`)
          return remove()
        }),
        nameStreams: fromCallback(({ input: { uids }, sendBack }) => {
          asked.push(`name ${uids.join(' ')}`)
          for (const uid of uids) sendBack({ type: 'stream.named', uid, name: uid === 'gate' ? 'Gate' : null })
        }),
        watchForChanges: fromCallback(({ sendBack }) => {
          outside.send = sendBack
        }),
      },
    }),
    input,
  )
  return { ...page, asked, outside, send: (event: BookmarksEvent) => page.send(event) }
}

describe('the page of bookmarks', () => {
  test("lists them, fetches each stream's name once, and marks deleted streams", async () => {
    const { asked, context, outside, value } = open()
    await settle()
    outside.send({ type: 'list.outdated' })
    await settle()
    expect(asked).toEqual(['list server', 'name gate yard', 'list server', 'name '])
    expect({
      bookmarks: context().bookmarks,
      zone: context().zone,
      names: [...context().names],
      value: value(),
    }).toEqual({
      bookmarks: [van, cat],
      zone: 'Asia/Tokyo',
      names: [
        ['gate', 'Gate'],
        ['yard', null],
      ],
      value: { list: 'ready', dialog: 'closed' },
    })
  })

  test("the list stays while it can't be fetched again", async () => {
    const { context, outside, send, value } = open({ lists: [ok([van]), refused(500, 'InternalServerError')] })
    await settle()
    outside.send({ type: 'list.outdated' })
    await settle()
    expect([value(), context().bookmarks, context().apiError?.code]).toEqual([
      { list: 'failed', dialog: 'closed' },
      [van],
      'InternalServerError',
    ])
    send({ type: 'list.retried' })
    await settle()
    expect([context().bookmarks, context().apiError]).toEqual([[van, cat], null])
  })

  test('a note is edited; the text stays after an error, which is shown beside it', async () => {
    const answers = [refused(0, 'NotStored'), ok({ ...van, note: 'a van' })]
    const { asked, context, ref, send, toasts, value } = open({
      change: async () => answers.shift() ?? refused(500, ''),
    })
    await settle()
    send({ type: 'edit.requested', bookmark: van })
    const { form } = ref.getSnapshot().children
    form.send({ type: 'form.edited', values: { note: 'a van' } })
    form.send({ type: 'form.submitted' })
    await settle()
    expect([form.getSnapshot().context.values.note, form.getSnapshot().context.errors, toasts()]).toEqual([
      'a van',
      { note: 'NotStored' },
      [],
    ])
    form.send({ type: 'form.submitted' })
    expect(value()).toEqual({ list: 'ready', dialog: 'editing' })
    await settle()
    const sent = `change ${JSON.stringify({ bookmarkLocation: { kind: 'server' }, subject: { id: 'b1' }, note: 'a van' })}`
    expect(asked).toEqual(['list server', 'name gate yard', sent, sent, 'list server', 'name '])
    expect([value(), context().chosen]).toEqual([{ list: 'ready', dialog: 'closed' }, van])
  })

  test('the new note shows at once, before the list is read again', async () => {
    const { context, ref, send } = open()
    await settle()
    send({ type: 'edit.requested', bookmark: van })
    send({
      type: 'form.saved',
      answer: { ...van, note: 'a van' },
      values: { bookmarkLocation: { kind: 'server' }, subject: { id: 'b1' }, note: 'a van' },
    })
    expect([context().bookmarks, ref.getSnapshot().children.form]).toEqual([
      [{ ...van, note: 'a van' }, cat],
      undefined,
    ])
  })

  test('one is deleted only once confirmed', async () => {
    const { asked, context, send } = open({ lists: [ok([van, cat]), ok([cat])] })
    await settle()
    send({ type: 'delete.requested', bookmark: van })
    send({ type: 'delete.cancelled' })
    send({ type: 'delete.requested', bookmark: van })
    expect(asked).toEqual(['list server', 'name gate yard'])
    send({ type: 'delete.confirmed' })
    await settle()
    expect(asked.slice(2)).toEqual(['delete b1', 'list server', 'name '])
    expect(context().bookmarks).toEqual([cat])
  })

  test.each([
    [404, 'NotFound', [cat], 'closed', undefined],
    [500, 'InternalServerError', [van, cat], 'confirming', 'InternalServerError'],
  ])('a %s when deleting: the dialog says what it has to', async (status, code, bookmarks, dialog, message) => {
    const { context, send, value } = open({
      lists: [ok([van, cat]), ok([cat])],
      remove: async () => refused(status, code),
    })
    await settle()
    send({ type: 'delete.requested', bookmark: van })
    send({ type: 'delete.confirmed' })
    await settle()
    expect([context().bookmarks, value(), context().removalApiError?.code]).toEqual([
      bookmarks,
      { list: 'ready', dialog },
      message,
    ])
  })

  test('every edge of the chart is walked', () => {
    const events = [
      { type: 'list.retried' },
      { type: 'list.outdated' },
      { type: 'query.changed', query: 'van' },
      { type: 'stream.named', uid: 'gate', name: 'Gate' },
      { type: 'edit.requested', bookmark: van },
      { type: 'edit.cancelled' },
      { type: 'delete.requested', bookmark: van },
      { type: 'delete.confirmed' },
      { type: 'delete.cancelled' },
      {
        type: 'form.saved',
        answer: van,
        values: { bookmarkLocation: { kind: 'server' }, subject: { id: 'b1' }, note: '' },
      },
    ] satisfies BookmarksEvent[]
    const { declared, covered, strayed } = walkEdges(bookmarksMachine, {
      model: bookmarksMachine,
      input,
      events: [
        ...events,
        { type: 'xstate.done.actor.fetchBookmarks', output: { reply: ok([van]), zone: 'UTC' } },
        { type: 'xstate.done.actor.fetchBookmarks', output: { reply: refused(500, ''), zone: 'UTC' } },
        { type: 'xstate.error.actor.fetchBookmarks', error: new Error('not provided') },
        { type: 'xstate.done.actor.deleteBookmark', output: ok({}) },
        { type: 'xstate.done.actor.deleteBookmark', output: refused(500, '') },
        { type: 'xstate.error.actor.deleteBookmark', error: new Error('not provided') },
      ],
      name: ({ value }) => JSON.stringify(value),
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})

test('they are stored on a server with the feature, otherwise in the browser by login', () => {
  const plain = settingsOf({ features: ['tunnel'] })
  const able = settingsOf({ features: ['bookmarks'] })
  expect([
    bookmarkLocationOf({ settings: able, user: userOf({ name: 'ann' }) }),
    bookmarkLocationOf({ settings: plain, user: userOf({ name: 'ann' }) }),
    bookmarkLocationOf({ settings: able, user: null }),
  ]).toEqual([{ kind: 'server' }, { kind: 'browser', login: 'ann' }, { kind: 'browser', login: '' }])
})

test('those found have the words in the note or in the name of the stream; the newest moment comes first', () => {
  const bookmarks = [van, cat, { id: 'b0', streamId: 'dock', time: 2000, note: 'a Van again' }]
  const names = new Map([
    ['gate', 'Gate'],
    ['yard', 'Back yard'],
    ['dock', null],
  ])
  const found = (query: string) => shownBookmarks({ bookmarks, names, query }).map(({ id }) => id)
  expect([found(''), found(' VAN '), found('back'), found('dock'), found('nothing')]).toEqual([
    ['b0', 'b2', 'b1'],
    ['b0', 'b1'],
    ['b2'],
    ['b0'],
    [],
  ])
})

test('the key of a preview contains its moment', () => {
  const moment = { streamId: 'a b', at: 1_795_000_000_123 }
  expect(momentOfKey(previewKey(moment))).toEqual(moment)
})
