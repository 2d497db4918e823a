import { describe, expect, test } from 'vitest'
import { type AnyActorLogic, type AnyStateMachine, fromPromise } from 'xstate'
import { noAnswer, ok, refused } from '../../../tests/fixtures/replies.ts'
import { openPage, pageInput } from '../../../tests/machines/page.ts'
import { pageOf, table } from '../../../tests/machines/streams-page.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { Reply } from '../../api/reply.ts'
import { configurationMachine } from '../administration/configuration.machine.ts'
import { licenseMachine } from '../administration/license.machine.ts'
import {
  clusterMachine,
  gaugesMachine,
  licenseStateMachine,
  seriesMachine,
} from '../administration/administration.machines.ts'
import { statisticsMachine } from '../administration/statistics.machine.ts'
import { apiDocumentationMachine } from '../api-documentation/api-documentation.machine.ts'
import { bookmarksMachine } from '../bookmarks/bookmarks.machine.ts'
import { tailMachine } from '../log-tail/tail.machine.ts'
import { mosaicEditMachine } from '../mosaics/mosaic-edit.machine.ts'
import { mosaicMachine } from '../mosaics/mosaic.machine.ts'
import { mosaicListMachine, mosaicsMachine } from '../mosaics/mosaics.machine.ts'
import { sessionsMachine } from '../sessions/sessions.machine.ts'
import { streamPermissionsMachine } from '../stream-pages/permissions.machine.ts'
import type { PagesReply, PagesRequest } from '../streams/pages.ts'
import { streamsMachine } from '../streams/streams.machine.ts'
import { tokensMachine } from '../tokens/tokens.machine.ts'
import { userEditMachine } from '../users/user-edit.machine.ts'
import { userInfoMachine } from '../users/user-info.machine.ts'
import { userPermissionsMachine } from '../users/user-permissions.machine.ts'
import { usersMachine } from '../users/users.machine.ts'

type Answer = () => Reply<unknown>

const answering = (machine: AnyStateMachine, actors: Record<string, AnyActorLogic>): AnyStateMachine =>
  machine.provide({ actors })
const replying = (answer: Answer) => fromPromise(async () => answer())
const listing = (answer: Answer) => fromPromise(async () => ({ reply: answer(), at: 0, zone: 'UTC' }))
const resource = (machine: AnyStateMachine, answer: Answer) => answering(machine, { fetchResource: replying(answer) })
const readStored = fromPromise(async () => ({ stored: table, storedSort: null, width: 1440, height: 900 }))

/** Every page with a question of its own, given what the server answers to it. */
const pages = {
  streams: (answer: Answer) =>
    answering(streamsMachine, {
      readStored,
      fetchPages: fromPromise<unknown, PagesRequest>(async ({ input: { pages: asked } }) =>
        asked.map((page) => ({ page, reply: answer() })),
      ),
    }),
  mosaics: (answer: Answer) => answering(mosaicsMachine, { list: resource(mosaicListMachine, answer) }),
  mosaic: (answer: Answer) => answering(mosaicMachine, { fetchMosaic: replying(answer) }),
  mosaicEdit: (answer: Answer) => answering(mosaicEditMachine, { fetchMosaic: replying(answer) }),
  bookmarks: (answer: Answer) => answering(bookmarksMachine, { fetchBookmarks: listing(answer) }),
  tokens: (answer: Answer) => answering(tokensMachine, { fetchTokens: listing(answer) }),
  sessions: (answer: Answer) => answering(sessionsMachine, { fetchSessions: listing(answer) }),
  streamPermissions: (answer: Answer) => answering(streamPermissionsMachine, { fetchPermissions: replying(answer) }),
  users: (answer: Answer) => answering(usersMachine, { fetchUsers: replying(answer) }),
  userInfo: (answer: Answer) => answering(userInfoMachine, { fetchUser: replying(answer) }),
  userEdit: (answer: Answer) => answering(userEditMachine, { fetchUser: replying(answer) }),
  userPermissions: (answer: Answer) => answering(userPermissionsMachine, { fetchPermissions: replying(answer) }),
  cluster: (answer: Answer) => resource(clusterMachine, answer),
  license: (answer: Answer) => answering(licenseMachine, { state: resource(licenseStateMachine, answer) }),
  statistics: (answer: Answer) =>
    answering(statisticsMachine, { series: resource(seriesMachine, answer), gauges: resource(gaugesMachine, answer) }),
  configuration: (answer: Answer) => answering(configurationMachine, { fetchConfiguration: replying(answer) }),
  apiDocumentation: (answer: Answer) => answering(apiDocumentationMachine, { fetchDocument: replying(answer) }),
  tail: (answer: Answer) => answering(tailMachine, { fetchLines: replying(answer) }),
}

const input = pageInput({ params: { id: 'm', uid: 'gate', login: 'bob' } })

describe("an error of a page's own request is shown in a toast too (docs/behaviour.md §4.5)", () => {
  test.each(Object.entries(pages))('%s', async (_name, page) => {
    const { toasts } = openPage(
      page(() => refused(503, 'Unavailable')),
      input,
    )
    await settle()
    await settle()
    expect(toasts()).toEqual([{ tone: 'error', code: 'Unavailable', values: {} }])
  })
})

const staying = new Set(['configuration', 'statistics', 'bookmarks', 'apiDocumentation', 'tail'])

test.each(Object.entries(pages).filter(([name]) => !staying.has(name)))(
  '%s leads to the not-found page where its own question finds nothing (docs/behaviour.md §3)',
  async (_name, page) => {
    const { received, toasts } = openPage(
      page(() => refused(404, 'NotFound')),
      input,
    )
    await settle()
    await settle()
    expect({ received, toasts: toasts() }).toEqual({ received: [{ type: 'page.missing' }], toasts: [] })
  },
)

test.each(['configuration', 'statistics', 'tail'] as const)('%s stays, and says so in the page', async (name) => {
  const { received } = openPage(
    pages[name](() => refused(404, 'NotFound')),
    input,
  )
  await settle()
  expect(received).toEqual([])
})

test.each([401, 404, 423])('not where one is led away: %i', async (status) => {
  const { toasts } = openPage(
    pages.tokens(() => refused(status, '')),
    input,
  )
  await settle()
  expect(toasts()).toEqual([])
})

test('once for consecutive failures, again after a success, and again after a retry by the user', async () => {
  const answers: Reply<unknown>[] = [refused(500, 'InternalServerError'), refused(503, 'Unavailable')]
  const cluster = openPage(
    pages.cluster(() => answers.shift() ?? ok([])),
    input,
  )
  const codes = () => cluster.toasts()?.map(({ code }) => code)
  await settle()
  cluster.clock.increment(5000)
  await settle()
  expect(codes()).toEqual(['InternalServerError'])
  cluster.clock.increment(5000)
  await settle()
  answers.push(refused(503, 'Unavailable'))
  cluster.clock.increment(5000)
  await settle()
  expect(codes()).toEqual(['Unavailable'])

  const tokens = openPage(
    pages.tokens(() => refused(500, 'InternalServerError')),
    input,
  )
  await settle()
  tokens.clock.increment(9000)
  expect(tokens.toasts()).toEqual([])
  tokens.send({ type: 'list.retried' })
  await settle()
  expect(tokens.toasts()?.length).toBe(1)
})

test('errors of the status refresh of the streams are shown too, once', async () => {
  const refusing = fromPromise<{ generation: number; answers: PagesReply }, PagesRequest & { generation: number }>(
    async ({ input: { generation } }) => ({
      generation,
      answers: [{ page: 1, reply: refused(500, 'InternalServerError') }],
    }),
  )
  const { toasts, clock, send } = openPage(
    answering(
      pages.streams(() => ok(pageOf(1, 10))),
      { refreshPages: refusing },
    ),
    input,
  )
  await settle()
  await settle()
  send({ type: 'list.viewed', viewport: { top: 0, height: 400, width: 1300 } })
  clock.increment(10_000)
  await settle()
  const first = toasts()
  clock.increment(10_000)
  await settle()
  expect({ first, later: toasts() }).toEqual({
    first: [{ tone: 'error', code: 'InternalServerError', values: {} }],
    later: [],
  })
})

test('an outage is shown only once', async () => {
  const { toasts, ref } = openPage(
    pages.users(() => ({ ok: false, apiError: noAnswer })),
    input,
  )
  ref.system
    .get('notifications')
    ?.send({ type: 'notification.raised', tone: 'error', code: 'NoResponse', key: 'server' })
  await settle()
  expect(toasts()).toEqual([{ tone: 'error', code: 'NoResponse', values: {} }])
})
