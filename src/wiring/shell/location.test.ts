// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ActorRefFrom, type AnyEventObject, createActor, sendTo, setup } from 'xstate'
import { type LocationCommand, locationOf } from '../../machines/app/location.events.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { location as address } from './location.ts'
import { patience } from '../../../tests/fixtures/patience.ts'

let received: AnyEventObject[] = []

/** A root with the address, and a form below it that holds the page on command. */
const form = setup({ actors: { watchLeaving } }).createMachine({
  initial: 'clean',
  states: {
    clean: { on: { 'form.edited': 'dirty' } },
    dirty: {
      invoke: { id: 'watchLeaving', src: 'watchLeaving' },
      on: {
        'form.reset': 'clean',
        'leave.cancelled': { target: 'dirty', reenter: true },
        'leave.attempted': { actions: ({ event }) => received.push(event) },
        'leave.confirmed': {
          actions: sendTo('watchLeaving', { type: 'leave.granted' }),
        },
      },
    },
  },
})
const root = setup({ actors: { address, form } }).createMachine({
  invoke: [
    { systemId: 'location', src: 'address' },
    { id: 'form', systemId: 'form', src: 'form' },
    { id: 'other', systemId: 'other', src: 'form' },
  ],
  on: { '*': { actions: ({ event }) => received.push(event) } },
})

let actor: ActorRefFrom<typeof root>
const ask = (command: LocationCommand) => locationOf(actor.system)?.send(command)
const write = (href: string, replace = false) => ask({ type: 'location.written', href, replace })
const sendForm = (type: 'form.edited' | 'form.reset' | 'leave.confirmed') => actor.system.get('form').send({ type })
const attempts = () => received.filter(({ type }) => type === 'leave.attempted').length
const addresses = () =>
  received.flatMap(({ type, address: to }) => (type === 'location.changed' ? [to.pathname + to.search + to.hash] : []))
const popped = () => new Promise((resolve) => globalThis.addEventListener('popstate', resolve, { once: true }))

beforeEach(() => {
  history.pushState(null, '', '/ui/streams')
  history.pushState(null, '', '/ui/profile/me/edit')
  received = []
  actor = createActor(root).start()
})
afterEach(() => {
  vi.restoreAllMocks()
  sendForm('form.reset')
  actor.stop()
  vi.unstubAllGlobals()
})

test('this browser has no Navigation API', () => {
  expect('navigation' in globalThis).toBe(false)
})

test('every change of the address is reported once, its own too', async () => {
  write('/mosaics')
  write('/mosaics?x=1', true)
  const gone = popped()
  history.back()
  await gone
  expect(addresses()).toEqual(['/mosaics', '/mosaics?x=1', '/profile/me/edit'])
})

test('what a page writes itself is marked', () => {
  ask({ type: 'location.written', href: '/profile/me/edit?at=1', replace: true, isOfPage: true })
  write('/help')
  expect(received.map(({ isOfPage }) => isOfPage)).toEqual([true, false])
})

test.each(['pushState', 'replaceState'] as const)(
  'a change that %s refuses leaves the address, and later ones are made',
  (way) => {
    vi.spyOn(history, way).mockImplementationOnce(() => {
      throw new DOMException('Too many calls to the History API', 'SecurityError')
    })
    const replace = way === 'replaceState'
    write('/mosaics', replace)
    expect([location.pathname, actor.getSnapshot().status]).toEqual(['/ui/profile/me/edit', 'active'])
    write('/help', replace)
    history[way](null, '', '/ui/streams')
    globalThis.dispatchEvent(new Event(way))
    expect(addresses()).toEqual(['/profile/me/edit', '/help', '/streams'])
  },
)

test('a link to the present address adds no history entry', () => {
  const { length } = history
  write('/profile/me/edit')
  expect(history.length).toBe(length)
  write('/profile/me/edit?tab=1')
  write('/profile/me/edit?tab=1')
  expect(history.length).toBe(length + 1)
})

test('a link is blocked, and followed once leaving is granted', () => {
  sendForm('form.edited')
  write('/mosaics')
  expect([location.pathname, attempts(), addresses()]).toEqual(['/ui/profile/me/edit', 1, []])
  sendForm('leave.confirmed')
  expect([location.pathname, addresses()]).toEqual(['/ui/mosaics', ['/mosaics']])
})

test('the question is asked once for all forms of the page', () => {
  sendForm('form.edited')
  actor.system.get('other').send({ type: 'form.edited' })
  write('/mosaics')
  sendForm('leave.confirmed')
  expect([location.pathname, attempts()]).toEqual(['/ui/mosaics', 1])
  expect(globalThis.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true)
})

test('Back asks once for all forms of the page', async () => {
  sendForm('form.edited')
  actor.system.get('other').send({ type: 'form.edited' })
  history.back()
  await vi.waitFor(() => expect(attempts()).toBe(1), patience)
  const gone = popped()
  sendForm('leave.confirmed')
  await gone
  expect([location.pathname, attempts(), addresses()]).toEqual(['/ui/streams', 1, ['/streams']])
})

test('Back is blocked without a report, and done once leaving is granted', async () => {
  sendForm('form.edited')
  history.back()
  await vi.waitFor(() => expect(attempts()).toBe(1), patience)
  expect([location.pathname, addresses()]).toEqual(['/ui/profile/me/edit', []])
  const gone = popped()
  sendForm('leave.confirmed')
  await gone
  expect([location.pathname, addresses()]).toEqual(['/ui/streams', ['/streams']])
})

test('query, fragment and redirects are never blocked, and nothing is once no form blocks', async () => {
  sendForm('form.edited')
  write('/profile/me/edit?tab=1#x')
  write('/auth', true)
  write('/profile/me/edit', true)
  expect(attempts()).toBe(0)
  sendForm('form.reset')
  write('/mosaics')
  const gone = popped()
  history.back()
  await gone
  expect([location.pathname, attempts()]).toEqual(['/ui/profile/me/edit', 0])
})

test('signing out asks as well', () => {
  sendForm('form.edited')
  ask({ type: 'leave.requested' })
  expect([received.length, attempts()]).toEqual([1, 1])
  sendForm('leave.confirmed')
  expect(received.at(-1)).toEqual({ type: 'session.closeGranted' })
})

test('where signing out fails, leaving asks again', () => {
  sendForm('form.edited')
  ask({ type: 'leave.requested' })
  sendForm('leave.confirmed')
  ask({ type: 'leave.failed' })
  write('/mosaics')
  expect([location.pathname, attempts()]).toEqual(['/ui/profile/me/edit', 2])
})

test('Back that the Navigation API could not cancel is undone', async () => {
  vi.stubGlobal('navigation', new EventTarget())
  actor.stop()
  actor = createActor(root).start()
  sendForm('form.edited')
  history.back()
  await vi.waitFor(() => expect(attempts()).toBe(1), patience)
  expect(location.pathname).toBe('/ui/profile/me/edit')
})

test('closing the window is asked about by the browser', () => {
  const isAsked = () => !globalThis.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(isAsked()).toBe(false)
  sendForm('form.edited')
  expect(isAsked()).toBe(true)
  sendForm('leave.confirmed')
  expect(isAsked()).toBe(false)
})
