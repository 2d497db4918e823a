// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { configurationOf, ok, refused, settingsOf, streamOf } from '../../../tests/fixtures/replies.ts'
import type { StreamsPage as StreamsAnswer } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'
import { i18n } from '../../i18n/i18n.ts'
import { appMachine } from '../../machines/app/app.machine.ts'
import { bulkMachine } from '../../machines/streams/bulk.machine.ts'
import { gatheringMachine } from '../../machines/streams/gathering.machine.ts'
import type { PagesReply, PagesRequest } from '../../machines/streams/pages.ts'
import type { StoredView } from '../../machines/streams/streams.events.ts'
import { streamsMachine } from '../../machines/streams/streams.machine.ts'
import { ConsoleProvider } from '../app/console.ts'
import { HeaderSlotProvider } from '../shell/header-slot.ts'
import { StreamsPage } from './StreamsPage.tsx'
import { patience } from '../../../tests/fixtures/patience.ts'

configure({ asyncUtilTimeout: patience.timeout })

const configuration = configurationOf()
const address = { pathname: '/streams', search: '', hash: '' }

const streams = [
  streamOf({
    uid: 'gate',
    name: 'North gate',
    tags: ['outdoor', 'critical'],
    meta: { canAdmin: true },
    archive: { isEnable: true, depthHours: 48 },
  }),
  streamOf({ uid: 'desk', name: 'Lobby desk', tags: ['indoor'], status: 'failed', failureReason: 'HTTP_UNAUTHORIZED' }),
  streamOf({ uid: 'roof', name: '', live: { onDemand: true } }),
]
const all: StreamsAnswer = { items: streams, page: 1, pageSize: 50, total: 3 }

/** A page of a list of 800 streams. */
const longPage = (page: number): StreamsAnswer => ({
  items: Array.from({ length: 100 }, (_, index) => {
    const uid = `cam-${(page - 1) * 100 + index}`
    return streamOf({ uid, name: uid, meta: { canAdmin: true } })
  }),
  page,
  pageSize: 100,
  total: 800,
})

/** A screen in jsdom, which has no layout of its own. */
beforeEach(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  Object.assign(HTMLElement.prototype, { scrollTo: () => undefined })
  vi.stubGlobal('CSS', { escape: (value: string) => value })
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1300)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.stubGlobal(
    'ResizeObserver',
    class {
      private readonly onResize: () => void
      constructor(onResize: () => void) {
        this.onResize = onResize
      }
      observe() {
        this.onResize()
      }
      disconnect() {
        return undefined
      }
    },
  )
})

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

type Answered = Reply<StreamsAnswer>

function open(answer: (page: number) => Answered | Promise<Answered> = () => ok(all), stored: unknown = null) {
  const app = createActor(appMachine, {
    input: {
      address,
      isShared: false,
      destination: null,
      language: '',
      theme: 'system',
      keyReach: 'page',
      wasSignedIn: false,
      mustChangePassword: false,
      dismissals: {},
      defaults: { configuration, settings: settingsOf() },
    },
  })
  const fetchPages = fromPromise<PagesReply, PagesRequest>(({ input }) =>
    Promise.all(input.pages.map(async (page) => ({ page, reply: await answer(page) }))),
  )
  const logic = streamsMachine.provide({
    actors: {
      readStored: fromPromise(async (): Promise<StoredView> => ({
        stored,
        storedSort: null,
        width: 1440,
        height: 900,
      })),
      bulk: bulkMachine.provide({ actors: { gathering: gatheringMachine.provide({ actors: { fetchPages } }) } }),
      fetchPages,
      refreshPages: fromPromise(() => new Promise(() => undefined)),
      changeStatus: fromPromise(async () => ok({ status: 'paused' })),
    },
  })
  const actor = createActor(logic, {
    input: { params: {}, address, settings: settingsOf(), configuration, user: null },
  }).start()
  const slot = document.body.appendChild(document.createElement('div'))
  render(
    <I18nProvider i18n={i18n}>
      <ConsoleProvider
        value={{
          app,
          consolePath: '/ui',
          viewOf: () => undefined,
          extras: () => new Promise(() => undefined),
          copyText: async () => true,
          saveText: () => undefined,
          whenIdle: () => undefined,
        }}
      >
        <HeaderSlotProvider value={slot}>
          <StreamsPage actor={actor} />
        </HeaderSlotProvider>
      </ConsoleProvider>
    </I18nProvider>,
  )
  return actor
}

describe('all streams', () => {
  test('every card leads to the player and says how the stream is', async () => {
    open()
    const gate = await screen.findByRole('link', { name: 'North gate' })
    expect(gate.getAttribute('href')).toBe('/stream/gate/view')
    expect(screen.getByRole('link', { name: 'roof' }).getAttribute('href')).toBe('/stream/roof/view')
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'LiveArchive onNorth gateRunningoutdoorcritical',
      "The camera doesn't accept this login and password.Lobby deskFailedindoor",
      'On demandroofRunning',
    ])
    expect(screen.getByRole('status').textContent).toBe('3 streams')
  })

  test('a few placeholders stand for the list until it arrives', async () => {
    open(() => new Promise(() => undefined))
    const placeholders = await screen.findAllByRole('img', { name: 'Loading…' })
    expect([placeholders.length, screen.getAllByRole('listitem').length]).toEqual([12, 12])
  })

  test('only those who may are offered to pause', async () => {
    const actor = open()
    await screen.findByRole('link', { name: 'North gate' })
    await waitFor(() => expect(screen.getAllByRole('link', { name: 'Info' }).length).toBe(3))
    const pause = () => fireEvent.click(screen.getByRole('button', { name: 'Pause' }))
    const dialog = () => screen.findByRole('alertdialog', { name: 'Pause “North gate”?' })
    pause()
    fireEvent.click(within(await dialog()).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(actor.getSnapshot().context.changes).toEqual([])
    pause()
    fireEvent.click(within(await dialog()).getByRole('button', { name: 'Pause' }))
    expect(actor.getSnapshot().context.changes).toEqual([{ uid: 'gate', change: 'pause' }])
    await screen.findByRole('button', { name: 'Resume' })
  })

  test.each([
    [{}, 'On demandroofOn demand, idle'],
    [{ viewers: 1 }, 'On demandroofStarting'],
    [{ live: { onDemand: false } }, 'roofStarting'],
  ])('a pending stream with %j: %s', async (given, text) => {
    const roof = streamOf({ uid: 'roof', name: '', status: 'pending', live: { onDemand: true }, ...given })
    open(() => ok({ ...all, items: [roof], total: 1 }))
    await screen.findByRole('link', { name: 'roof' })
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([text])
  })

  test('the toggles say what is on', async () => {
    open()
    await screen.findByRole('link', { name: 'North gate' })
    for (const name of ['Group by tag', 'Table view', 'Only available']) {
      const toggle = screen.getByRole('button', { name })
      expect(toggle.getAttribute('aria-pressed')).toBe('false')
      fireEvent.click(toggle)
      expect(toggle.getAttribute('aria-pressed')).toBe('true')
    }
  })

  test('a table has the depth of each archive, or else its maximum size', async () => {
    const roof = streamOf({
      uid: 'roof',
      name: 'roof',
      archive: { isEnable: true, depthHours: -1, quotaBytes: 12.5e9 },
    })
    open(() => ok({ ...all, items: [...streams.slice(0, 2), roof] }), { viewModeKey: 'table' })
    const table = within(await screen.findByRole('table'))
    await table.findByRole('link', { name: 'North gate' })
    expect(['2 days', 'Off', '12.5 GB'].map((text) => table.getAllByRole('cell', { name: text }).length)).toEqual([
      1, 1, 1,
    ])
  })

  test('in a table, grouped, a stream stands under each of its tags and the untagged come last', async () => {
    open(() => ok(all), { viewModeKey: 'table', groupType: 'tag' })
    const table = await screen.findByRole('table')
    const rows = await within(table).findAllByRole('rowheader')
    expect(rows.map((row) => row.textContent)).toEqual([
      'critical1 stream',
      'North gate',
      'indoor1 stream',
      'Lobby desk',
      'outdoor1 stream',
      'North gate',
      'untagged1 stream',
      'roof',
    ])
  })

  test('Enter adds a search value, which can be taken away again', async () => {
    const actor = open()
    await screen.findByRole('link', { name: 'North gate' })
    const box = screen.getByRole('searchbox', { name: 'Search streams' })
    fireEvent.change(box, { target: { value: ' gate ' } })
    fireEvent.submit(box)
    expect(actor.getSnapshot().context.view.searchingValues).toEqual(['gate'])
    fireEvent.click(await screen.findByRole('button', { name: 'Remove gate' }))
    expect(actor.getSnapshot().context.view.searchingValues).toEqual([])
  })

  test('the arrow keys move the one tab stop', async () => {
    open()
    const gate = await screen.findByRole('link', { name: 'North gate' })
    gate.focus()
    fireEvent.keyDown(gate, { key: 'ArrowRight' })
    expect(document.activeElement?.textContent).toBe('Lobby desk')
    fireEvent.keyDown(document.activeElement ?? gate, { key: 'End' })
    expect(document.activeElement?.textContent).toBe('roof')
    expect(
      screen
        .getAllByRole('link')
        .filter((link) => link.tabIndex === 0)
        .map((link) => link.textContent),
    ).toEqual(['roof', ''])
  })

  test('Ctrl A selects all streams by the letter, wherever the keyboard has it', async () => {
    open()
    const gate = await screen.findByRole('link', { name: 'North gate' })
    gate.focus()
    const isLeftToBrowser = (key: string, code: string) => fireEvent.keyDown(gate, { key, code, ctrlKey: true })
    expect([isLeftToBrowser('q', 'KeyA'), isLeftToBrowser('a', 'KeyQ')]).toEqual([true, false])
    await screen.findByRole('button', { name: 'Clear selection' })
  })

  test('sharing of selected streams stops only after a question', async () => {
    const actor = open(() => ok(longPage(1)))
    fireEvent.click(await screen.findByLabelText('Select cam-3'))
    const stateOf = () => actor.getSnapshot().children.bulk?.getSnapshot().value
    const press = async () => fireEvent.click(await screen.findByRole('button', { name: 'Stop sharing' }))
    const dialog = (name: string) => screen.findByRole('alertdialog', { name })
    await press()
    fireEvent.click(within(await dialog('Stop sharing “cam-3”?')).getByRole('button', { name: 'Cancel' }))
    fireEvent.click(screen.getByLabelText('Select cam-5'))
    await press()
    const question = await dialog('Stop sharing 2 streams?')
    expect(stateOf()).toBe('choosing')
    fireEvent.click(within(question).getByRole('button', { name: 'Stop sharing' }))
    expect(stateOf()).toBe('working')
  })

  test('a range selected with Shift has the streams of pages that were not loaded, and no others', async () => {
    const asked: number[] = []
    const actor = open(
      (page) => {
        asked.push(page)
        return ok(longPage(page))
      },
      { viewModeKey: 'table' },
    )
    fireEvent.click(await screen.findByLabelText('Select cam-3'))
    const table = screen.getByRole('table')
    const scroller = table.closest('[aria-busy]') ?? table
    scroller.scrollTop = 40 * 420
    fireEvent.scroll(scroller)
    const last = await screen.findByLabelText('Select cam-421')
    expect(asked).toEqual([1, 5])
    fireEvent.click(last, { shiftKey: true })
    await screen.findByText('419 selected')
    expect(asked).toEqual([1, 5, 2, 3, 4])
    const chosen = actor.getSnapshot().children.bulk?.getSnapshot().context.chosen ?? new Map()
    const range = Array.from({ length: 419 }, (_, index) => `cam-${index + 3}`)
    expect([...chosen.keys()].toSorted()).toEqual(range.toSorted())
  })

  test('a range of a grouped list has only streams that are loaded, as the others have no place yet', async () => {
    const actor = open((page) => (page === 1 ? ok(longPage(page)) : refused(503, 'Unavailable')), {
      viewModeKey: 'table',
      groupType: 'tag',
    })
    fireEvent.click(await screen.findByLabelText('Select cam-3'))
    const cell = screen.getByRole('link', { name: 'cam-3' })
    cell.focus()
    fireEvent.keyDown(cell, { key: 'End' })
    await waitFor(() => expect(document.activeElement?.getAttribute('data-entry')).toBe('799'))
    fireEvent.keyDown(document.activeElement ?? cell, { key: ' ', shiftKey: true })
    const bulk = actor.getSnapshot().children.bulk?.getSnapshot()
    expect([bulk?.value, [...(bulk?.context.chosen.keys() ?? [])]]).toEqual([
      'choosing',
      Array.from({ length: 97 }, (_, index) => `cam-${index + 3}`),
    ])
  })

  test('a cleared selection leaves the focus to the list', async () => {
    open()
    const gate = await screen.findByRole('link', { name: 'North gate' })
    gate.focus()
    for (const leave of [
      (clear: HTMLElement) => fireEvent.click(clear),
      (clear: HTMLElement) => fireEvent.keyDown(clear, { key: 'Escape' }),
    ]) {
      fireEvent.keyDown(gate, { key: ' ' })
      const clear = await screen.findByRole('button', { name: 'Clear selection' })
      clear.focus()
      leave(clear)
      expect([clear.isConnected, document.activeElement]).toEqual([false, gate])
    }
  })

  test('an empty list says why', async () => {
    const empty = () => ok({ ...all, items: [], total: 0 })
    open(empty, { searchingValues: ['zzz'] })
    expect((await screen.findByRole('button', { name: 'Clear search' })).textContent).toBe('Clear search')
    cleanup()
    open(empty, { isShownAvailableStreams: true })
    await screen.findByRole('button', { name: 'Show all streams' })
    cleanup()
    open(empty)
    expect((await screen.findByRole('heading')).textContent).toBe('No streams yet')
  })

  test('a list that could not be had is asked for again by Retry', async () => {
    const answers = [refused(500, 'InternalServerError'), ok(all)]
    open(() => answers.shift() ?? ok(all))
    fireEvent.click(await screen.findByRole('button', { name: 'Retry' }))
    expect((await screen.findByRole('link', { name: 'North gate' })).textContent).toBe('North gate')
  })

  test('the filters open beside the list, and a tag narrows it', async () => {
    const actor = open()
    await screen.findByRole('link', { name: 'North gate' })
    const filters = screen.getByRole('button', { name: 'Filters' })
    fireEvent.click(filters)
    expect(filters.getAttribute('aria-expanded')).toBe('true')
    const panel = await screen.findByRole('complementary', { name: 'Filters' })
    fireEvent.click(await within(panel).findByRole('button', { name: /^indoor/ }))
    fireEvent.click(within(panel).getByRole('radio', { name: 'Name' }))
    expect(actor.getSnapshot().context.view).toMatchObject({
      searchingValues: ['indoor'],
      sortType: 'name',
      isOpenAside: true,
    })
  })
})
