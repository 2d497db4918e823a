import { and, assign, not, setup, stateIn } from 'xstate'
import { dialogsFor, entriesFor } from './dialogs.ts'
import {
  type Group,
  type Role,
  groups,
  hidden,
  openedBy,
  redirects,
  may,
  mayOpen,
  pages,
  roles,
  tabsFor,
} from './pages.ts'

/** What the model remembers besides the state. */
interface Memory {
  /** The page that Back opens, if it is another page of the console. */
  previous: string | null
  /** The destination: the first address that required signing in (docs/behaviour.md §3, navigation rules). */
  destination: string | null
  /** The last destination. */
  landing: string
}

/** What a visitor does: `toolbar.Help`, `address.tunnel`, `closed.Escape`. */
export interface Action {
  readonly type: string
}

/** The addresses that are tested as destinations of signing in. */
export const deepLinks = ['statistics', 'streamInfo'] as const

/** Addresses of pages for signed-out visitors, and of those that are no destination. */
const passing: readonly string[] = ['auth', 'init', 'recoverPassword', 'notFound', 'nowhere']

const addresses = [...Object.keys(pages), ...Object.keys(redirects)]

/**
 * The administrator opens every address but one; other roles only addresses without a link and those that redirect
 * them.
 */
function followed(role: Role): readonly string[] {
  if (role === 'administrator') return addresses
  const isOwn = (name: string) =>
    passing.includes(name) ||
    openedBy(role, name) !== (redirects[name]?.page ?? name) ||
    !mayOpen(role, openedBy(role, name))
  return [...addresses.filter(isOwn), 'hidden']
}

export const pathOf = (name: string): string =>
  name === 'hidden' ? hidden.path : ((pages[name] ?? redirects[name])?.path ?? '')

const visitor = setup({
  types: { context: {} as Memory, events: {} as Action },
  actions: {
    comeFrom: assign((_, { page }: { page: string }) => ({ previous: page })),
    startAfresh: assign({ previous: null }),
    keepFirst: assign({ destination: ({ context }, { page }: { page: string }) => context.destination ?? page }),
    land: assign({ landing: ({ context }) => context.destination ?? 'streams', destination: null, previous: null }),
    leave: assign({ previous: null, destination: null }),
  },
  guards: {
    isBoundFor: ({ context }, { page }: { page: string | null }) => context.destination === page,
    hasArrivedOn: ({ context }, { page }: { page: string }) => context.landing === page,
    cameFrom: ({ context }, { page }: { page: string }) => context.previous === page,
    hasComeFromSomewhere: ({ context }) => context.previous !== null,
  },
})

type State = Parameters<typeof visitor.createStateConfig>[0]
type Edges = NonNullable<State['on']>

const arrivedOnStreams = { type: 'hasArrivedOn', params: { page: 'streams' } } as const

const idOf = (role: Role, name: string): string => `${role} ${name}`
const isShut = (role: Role) => stateIn(`#${idOf(role, 'shut')}`)
const isOpen = (role: Role, dialog: string) => stateIn(`#${idOf(role, `over ${dialog}`)}`)
const isOn = (role: Role, page: string) => stateIn(`#${idOf(role, page)}`)
const to = (role: Role, page: string): string => `#${idOf(role, openedBy(role, page))}`

/** A link to another page of the console: Back undoes it. */
const link = (role: Role, page: string) => ({
  guard: and([isShut(role), ...(page === 'auth' ? [arrivedOnStreams] : []), not(isOn(role, openedBy(role, page)))]),
  target: to(role, page),
})

const linksOf = (role: Role, kind: string, links: Readonly<Record<string, string>>): Edges =>
  Object.fromEntries(Object.entries(links).map(([name, page]) => [`${kind}.${name}`, link(role, page)]))

function contentOf(role: Role, name: string): Readonly<Record<string, string>> {
  const { links = {}, controls = {}, refusal } = pages[name] ?? {}
  if (mayOpen(role, name))
    return Object.fromEntries(Object.entries(links).filter(([link]) => may(role, controls[link] ?? 'none')))
  return typeof refusal === 'object' ? refusal.links : {}
}

const pageState = (role: Role, name: string): State => ({
  id: idOf(role, name),
  exit: { type: 'comeFrom', params: { page: name } },
  on: linksOf(role, 'content', contentOf(role, name)),
})

const reachable = (role: Role, group: Group): string[] =>
  Object.keys(group.pages).filter((name) => openedBy(role, name) === name)

const groupState = (role: Role, group: Group): State => ({
  initial: reachable(role, group)[0] ?? '',
  on: {
    ...linksOf(
      role,
      'toolbar',
      Object.fromEntries(tabsFor(role, group).flatMap(({ label, page, isOpen }) => (isOpen ? [[label, page]] : []))),
    ),
    ...linksOf(role, 'banner', Object.fromEntries(group.header.map(({ name, page }) => [name, page]))),
  },
  states: Object.fromEntries(reachable(role, group).map((name) => [name, pageState(role, name)])),
})

const groupsWith = (role: Role, hasShell: boolean): Record<string, State> =>
  Object.fromEntries(
    Object.entries(groups)
      .filter(([, group]) => group.hasShell === hasShell && reachable(role, group).length > 0)
      .map(([name, group]) => [name, groupState(role, group)]),
  )

/**
 * The open page, and the ways to others. Nothing is clicked on a page behind a dialog. What is the same for every role
 * (the address of a page, each button that closes a dialog) is tried by the administrator.
 */
function pageRegion(role: Role): State {
  const adding = may(role, 'addStreams') ? { 'Add stream': 'addStream' } : {}
  return {
    initial: 'shell',
    on: {
      ...Object.fromEntries(
        followed(role).map((name) => [
          `address.${name}`,
          {
            guard: name === 'auth' ? and([isShut(role), arrivedOnStreams]) : isShut(role),
            target: to(role, name === 'hidden' ? 'notFound' : name),
            actions: 'startAfresh',
          },
        ]),
      ),
      ...Object.fromEntries(
        entriesFor(role).flatMap(({ name, page }) =>
          page === null
            ? []
            : [[`menu.${name}`, { target: to(role, page), guard: and([isOpen(role, 'menu'), not(isOn(role, page))]) }]],
        ),
      ),
      'palette.Help': { target: to(role, 'help'), guard: and([isOpen(role, 'palette'), not(isOn(role, 'help'))]) },
      'browser.reloaded': { actions: 'startAfresh' },
      'browser.wentBack': Object.keys(pages)
        .filter((name) => openedBy(role, name) === name)
        .map((name) => ({
          guard: { type: 'cameFrom', params: { page: name } },
          target: to(role, name),
          actions: 'startAfresh',
        })),
    },
    states: {
      shell: {
        id: idOf(role, 'shell'),
        initial: 'workspace',
        on: {
          ...linksOf(role, 'toolbar', { 'All streams': 'streams', ...adding }),
          ...linksOf(role, 'banner', { Sightline: 'streams', ...adding }),
        },
        states: groupsWith(role, true),
      },
      alone: { initial: 'alone', states: groupsWith(role, false) },
    },
  }
}

/**
 * The dialog over the page: those of the shell on every page with it, others on their pages. Back and a reload close
 * it.
 */
function dialogRegion(role: Role): State {
  const known = dialogsFor(role)
  return {
    initial: 'shut',
    on: { 'browser.reloaded': '.shut', 'browser.wentBack': { guard: 'hasComeFromSomewhere', target: '.shut' } },
    states: {
      shut: {
        id: idOf(role, 'shut'),
        on: Object.fromEntries(
          known.flatMap(([name, { page = 'shell', opens: ways }]) =>
            ways.map((way) => [`opened.${name} by ${Object.keys(way)[0]}`, { guard: isOn(role, page), target: name }]),
          ),
        ),
      },
      ...Object.fromEntries(
        known.map(([name, { page, closes }]) => [
          name,
          {
            id: idOf(role, `over ${name}`),
            on: {
              ...Object.fromEntries(
                (role === 'administrator' || page === undefined ? closes : closes.slice(0, 1)).map((way) => [
                  `closed.${way}`,
                  'shut',
                ]),
              ),
              ...(page === undefined ? { 'browser.wentBack': { guard: 'hasComeFromSomewhere', target: 'shut' } } : {}),
              ...(name === 'menu' ? menuEdges(role) : {}),
              ...(name === 'palette' ? { 'palette.Help': 'shut' } : {}),
            },
          },
        ]),
      ),
    },
  }
}

const menuEdges = (role: Role): Edges =>
  Object.fromEntries(
    entriesFor(role).map(({ name }) => [
      `menu.${name}`,
      name === 'Log out' ? { target: '#auth', actions: 'leave' } : 'shut',
    ]),
  )

const roleState = (role: Role): State => ({
  type: 'parallel',
  states: { page: pageRegion(role), dialog: dialogRegion(role) },
})

/**
 * Signed out, every address leads to signing in, except those for signed-out visitors; signing in then opens the first
 * of the addresses.
 */
const signedOut: State = {
  initial: 'auth',
  on: Object.fromEntries(
    addresses.map((name) => [
      `address.${name}`,
      passing.includes(name)
        ? { target: name === 'init' ? '.auth' : `.${name}`, reenter: true }
        : {
            target: '.auth',
            reenter: true,
            actions: { type: 'keepFirst', params: { page: redirects[name]?.page ?? name } },
          },
    ]),
  ),
  states: {
    auth: {
      id: 'auth',
      on: {
        'browser.reloaded': 'auth',
        ...Object.fromEntries(
          roles.map((role) => [
            `signedIn.${role}`,
            [null, ...deepLinks].map((page) => ({
              guard: { type: 'isBoundFor', params: { page } },
              target: to(role, page ?? 'streams'),
              actions: 'land',
            })),
          ]),
        ),
      },
    },
    recoverPassword: { on: { 'content.Back to sign in': 'auth' } },
    notFound: {
      on: {
        'content.Go to all streams': { target: 'auth', actions: { type: 'keepFirst', params: { page: 'streams' } } },
      },
    },
    nowhere: {
      on: {
        'content.Go to all streams': { target: 'auth', actions: { type: 'keepFirst', params: { page: 'streams' } } },
      },
    },
  },
}

/**
 * A model of the whole console as a visitor sees it: signed out, or signed in with a role, on a page, with or without a
 * dialog. visitor.spec.ts walks its journeys in Chromium.
 */
export const visitorMachine = visitor.createMachine({
  id: 'visitor',
  context: { previous: null, destination: null, landing: 'streams' },
  initial: 'signedOut',
  states: { signedOut, ...Object.fromEntries(roles.map((role) => [role, roleState(role)])) },
})
