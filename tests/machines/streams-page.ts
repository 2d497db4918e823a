import { createActor, fromPromise, setup, SimulatedClock } from 'xstate'
import type { StreamsPage } from '../../src/api/contract/stream.ts'
import type { Reply } from '../../src/api/reply.ts'
import type { PageInput } from '../../src/machines/app/app.events.ts'
import type { PagesReply, PagesRequest } from '../../src/machines/streams/pages.ts'
import { defaultPreferences } from '../../src/machines/streams/preferences.ts'
import type { StreamsEvent } from '../../src/machines/streams/streams.events.ts'
import { streamsMachine } from '../../src/machines/streams/streams.machine.ts'
import { configurationOf, ok, settingsOf, streamOf } from '../fixtures/replies.ts'

export const inputOf = (search = ''): PageInput => ({
  params: {},
  address: { pathname: '/streams', search, hash: '' },
  settings: settingsOf(),
  configuration: configurationOf(),
  user: null,
})

const pageSize = 10

export function pageOf(page: number, total: number, status = 'running'): StreamsPage {
  const count = Math.max(0, Math.min(pageSize, total - (page - 1) * pageSize))
  const items = Array.from({ length: count }, (_, index) =>
    streamOf({ uid: `cam-${(page - 1) * pageSize + index}`, name: 'North gate', status }),
  )
  return { items, page, pageSize, total }
}

export interface Answers {
  page: (request: PagesRequest & { page: number }) => Reply<StreamsPage> | Promise<Reply<StreamsPage>>
  refresh: (request: PagesRequest & { page: number }) => Reply<StreamsPage> | Promise<Reply<StreamsPage>>
  change: () => Promise<Reply<{ status: string }>>
  stored: unknown
  storedSort: unknown
}

export const known: Answers = {
  page: ({ page }) => ok(pageOf(page, 100)),
  refresh: ({ page }) => ok(pageOf(page, 100)),
  change: async () => ok({ status: 'paused' }),
  stored: null,
  storedSort: null,
}

/**
 * The machine of the streams page with a parent, and a clock that the test moves. Records its requests (`asked`,
 * `refreshed`, `aborted`), what it stores (`written`, `orders`), the addresses it sets and the events to its parent.
 */
export function start(given: Partial<Answers> = {}, search = '') {
  const answers: Answers = { ...known, ...given }
  const clock = new SimulatedClock()
  const asked: string[] = []
  const refreshed: string[] = []
  const aborted: string[] = []
  const written: unknown[] = []
  const orders: string[] = []
  const addresses: string[] = []
  const received: unknown[] = []
  const replies = ({ pages, query }: PagesRequest, answer: Answers['page']): Promise<PagesReply> =>
    Promise.all(pages.map(async (page) => ({ page, reply: await answer({ pages, query, page }) })))
  const child = streamsMachine.provide({
    actors: {
      readStored: fromPromise(async () => ({
        stored: answers.stored,
        storedSort: answers.storedSort,
        width: 1440,
        height: 900,
      })),
      fetchPages: fromPromise(({ input, signal }) => {
        asked.push(input.pages.join())
        signal.addEventListener('abort', () => aborted.push(input.pages.join()))
        return replies(input, answers.page)
      }),
      refreshPages: fromPromise(async ({ input, signal }) => {
        refreshed.push(input.pages.join())
        signal.addEventListener('abort', () => aborted.push(`refresh ${input.pages.join()}`))
        return { generation: input.generation, answers: await replies(input, answers.refresh) }
      }),
      changeStatus: fromPromise(() => answers.change()),
    },
    actions: {
      storePreferences: (_args, { preferences, sortType }) => {
        written.push(preferences)
        orders.push(sortType)
      },
      replaceAddress: (_args, { search }) => addresses.push(search),
    },
  })
  const parent = setup({ actors: { child } }).createMachine({
    invoke: { id: 'page', src: 'child', input: inputOf(search) },
    on: { '*': { actions: ({ event }) => received.push(event) } },
  })
  const actor = createActor(parent, { clock }).start()
  const ref = () => {
    const { page } = actor.getSnapshot().children
    if (page === undefined) throw new Error('the page has no actor')
    return page
  }
  const view = (top: number) => ref().send({ type: 'list.viewed', viewport: { top, height: 400, width: 1300 } })
  return {
    answers,
    clock,
    asked,
    refreshed,
    aborted,
    written,
    orders,
    addresses,
    received,
    view,
    send: (event: StreamsEvent) => ref().send(event),
    setVisible: (isVisible: boolean) =>
      ref()
        .getSnapshot()
        .children.poll?.send({ type: isVisible ? 'page.shown' : 'page.hidden' }),
    context: () => ref().getSnapshot().context,
    snapshot: () => ref().getSnapshot(),
  }
}

export const table = { ...defaultPreferences, viewModeKey: 'table' }
