import { assign, enqueueActions, sendTo, setup, stopChild } from 'xstate'
import type { User } from '../../api/contract/user.ts'
import type { Refusal } from '../../api/reply.ts'
import { refusalOf, unknownRefusal } from '../refusals.ts'
import { appActors } from './app.actors.ts'
import type { AppContext, AppEvent, AppInput, PageInput } from './app.events.ts'
import type { Booted } from './boot.machine.ts'
import { type Destination, isDestination } from './destination.ts'
import { matchRoute, pathTo } from './routes.ts'
import { afterSignIn, whereabouts } from './whereabouts.ts'

const appSetup = setup({
  types: {
    context: {} as AppContext,
    events: {} as AppEvent,
    input: {} as AppInput,
    children: {} as { notifications: 'notifications'; health: 'health' },
  },
  actors: appActors,
  actions: {
    /** Goes to an address below /ui; `replace` leaves no step to go back to. */
    navigate: (_args, _params: { href: string; replace: boolean }) => undefined,
    scrollToTop: () => undefined,
    takeAddress: assign(({ context, event }) => {
      if (event.type !== 'location.changed') return {}
      const route = matchRoute(event.address.pathname)
      const moved = event.address.pathname !== context.address.pathname
      return { address: event.address, route, subject: moved ? null : context.subject }
    }),
    /** spec.md §2: before each navigation, when nothing is stored yet and the target is worth coming back to. */
    rememberFirst: assign({
      destination: ({ context }) =>
        context.destination ?? (isDestination(context.route.name) ? addressed(context) : null),
    }),
    /** contract.md §1: a later 401 stores the current address, so that signing in returns there. */
    rememberCurrent: assign({
      destination: ({ context }) => (isDestination(context.route.name) ? addressed(context) : context.destination),
    }),
    forgetDestination: assign({ destination: null }),
    /** contract.md §1: cleared once used, but kept while a password change comes first. */
    forgetUsedDestination: assign({
      destination: ({ context: { route, user, mustChangePassword, destination } }) =>
        route.name === 'auth' && user !== null && !mustChangePassword ? null : destination,
    }),
    takeUser: assign({ user: (_, { user }: { user: User }) => user, isLocked: false }),
    dropUser: assign({ user: null, mustChangePassword: false }),
    lock: assign({ isLocked: true, user: null }),
    tellRefusal: sendTo('notifications', (_args, { refusal }: { refusal: Refusal }) => ({
      type: 'notification.raised',
      tone: 'error',
      code: refusal.code,
    })),
    tellServerIsAway: sendTo('notifications', (_args, { refusal }: { refusal: Refusal }) => ({
      type: 'notification.raised',
      tone: 'error',
      code: refusal.code,
      key: 'server',
    })),
    startPage: assign({
      page: ({ context, spawn }) => (context.pageLogic === null ? null : spawn(context.pageLogic, { input: pageInput(context) })),
    }),
    stopPage: stopChild(({ context }) => context.page ?? 'page'),
    forgetPage: assign({ page: null, subject: null }),
  },
  guards: {
    isNewPath: ({ context, event }) => event.type === 'location.changed' && event.address.pathname !== context.address.pathname,
    isElsewhere: ({ context }) => whereabouts(context).kind === 'redirect',
    isForbidden: ({ context }) => whereabouts(context).kind === 'forbidden',
    isMissing: ({ context }) => whereabouts(context).kind === 'missing',
    isNotPage: ({ context }) => whereabouts(context).kind !== 'page',
    hasUser: ({ context }) => context.user !== null,
    hasNoSettings: ({ context }) => !context.hasSettings,
  },
})

/**
 * The console as a whole. It boots once; then four things go on side by side: the session (who is here), the settings
 * (fetched again on every navigation), and the page (which page the address means, loading its code, running its
 * machine until it is left). Whatever changes what the address means, a sign-out, a lock, a new path, sends the page
 * back to `resolving`, the only place that decides where one may be.
 */
export const appMachine = appSetup.createMachine({
  id: 'app',
  context: ({ input }) => ({
    address: input.address,
    route: matchRoute(input.address.pathname),
    configuration: input.defaults.configuration,
    settings: input.defaults.settings,
    hasSettings: false,
    dismissals: input.dismissals,
    destination: input.destination,
    language: input.language,
    theme: input.theme,
    user: null,
    isLocked: false,
    mustChangePassword: false,
    isShared: input.isShared,
    subject: null,
    pageLogic: null,
    page: null,
  }),
  invoke: [
    { id: 'notifications', systemId: 'notifications', src: 'notifications' },
    { id: 'watchLocation', src: 'watchLocation' },
    { id: 'health', systemId: 'health', src: 'health', input: ({ context }) => ({ dismissals: context.dismissals }) },
  ],
  initial: 'booting',
  on: {
    'location.changed': { actions: 'takeAddress' },
    'boot.settled': { actions: sendTo('health', { type: 'health.checkRequested' }) },
    'theme.chosen': { actions: assign({ theme: ({ event }) => event.theme }) },
    'language.chosen': { actions: assign({ language: ({ event }) => event.language }) },
    'navigation.requested': { actions: { type: 'navigate', params: ({ event }) => ({ href: event.href, replace: false }) } },
  },
  states: {
    booting: {
      invoke: {
        id: 'boot',
        src: 'boot',
        onDone: [
          {
            guard: ({ event }) => event.output.settingsRefusal !== null && event.output.settingsRefusal.status !== 423,
            target: 'running',
            actions: [
              assign(({ context, event }) => found(context, event.output)),
              'rememberFirst',
              { type: 'tellServerIsAway', params: ({ event }) => ({ refusal: event.output.settingsRefusal ?? unknownRefusal }) },
            ],
          },
          { target: 'running', actions: [assign(({ context, event }) => found(context, event.output)), 'rememberFirst'] },
        ],
        onError: 'running',
      },
    },
    running: {
      type: 'parallel',
      invoke: { id: 'watchRefusals', src: 'watchRefusals' },
      on: {
        'wire.locked': { actions: 'lock' },
        'lock.lifted': { actions: assign({ isLocked: false }) },
        'page.described': { actions: assign({ subject: ({ event }) => event.subject }) },
      },
      states: {
        session: {
          initial: 'deciding',
          states: {
            deciding: { always: [{ guard: 'hasUser', target: 'signedIn' }, { target: 'signedOut' }] },
            signedOut: {
              on: {
                'session.opened': {
                  target: 'identifying',
                  actions: assign({ mustChangePassword: ({ event }) => event.mustChangePassword }),
                },
                'session.started': { target: 'signedIn', actions: { type: 'takeUser', params: ({ event }) => ({ user: event.user }) } },
                'server.answered': { guard: 'hasNoSettings', target: 'identifying' },
              },
            },
            identifying: {
              tags: 'busy',
              invoke: {
                id: 'fetchUser',
                src: 'fetchUser',
                onDone: [
                  {
                    guard: ({ event }) => event.output.ok,
                    target: 'signedIn',
                    actions: assign(({ event }) => (event.output.ok ? { user: event.output.value, isLocked: false } : {})),
                  },
                  {
                    guard: ({ event }) => refusalOf(event.output).status === 401,
                    target: 'signedOut',
                  },
                  { target: 'signedOut', actions: { type: 'tellRefusal', params: ({ event }) => ({ refusal: refusalOf(event.output) }) } },
                ],
                onError: 'signedOut',
              },
            },
            signedIn: {
              always: { guard: ({ context }) => context.user === null, target: 'signedOut' },
              on: {
                'wire.unauthorized': { target: 'signedOut', actions: ['rememberCurrent', 'dropUser'] },
                'session.closeRequested': 'closing',
                'user.changed': { actions: { type: 'takeUser', params: ({ event }) => ({ user: event.user }) } },
                'password.changed': {
                  guard: ({ context }) => context.mustChangePassword,
                  actions: [
                    assign({ mustChangePassword: false }),
                    { type: 'navigate', params: ({ context }) => ({ href: afterSignIn(context), replace: false }) },
                    'forgetDestination',
                  ],
                },
                'language.chosen': {
                  actions: [
                    assign(({ context, event }) => ({
                      language: event.language,
                      user: context.user === null ? null : { ...context.user, language: event.language },
                    })),
                  ],
                  target: '.savingLanguage',
                },
              },
              initial: 'settled',
              states: {
                settled: {},
                savingLanguage: {
                  invoke: {
                    id: 'saveLanguage',
                    src: 'saveLanguage',
                    input: ({ context }) => ({ language: context.language }),
                    onDone: [
                      { guard: ({ event }) => event.output.ok, target: 'settled' },
                      { target: 'settled', actions: { type: 'tellRefusal', params: ({ event }) => ({ refusal: refusalOf(event.output) }) } },
                    ],
                    onError: 'settled',
                  },
                },
              },
            },
            closing: {
              tags: 'busy',
              on: { 'wire.unauthorized': { target: 'signedOut', actions: ['dropUser', 'forgetDestination'] } },
              invoke: {
                id: 'signOut',
                src: 'signOut',
                onDone: [
                  { guard: ({ event }) => event.output.ok, target: 'signedOut', actions: ['dropUser', 'forgetDestination'] },
                  { target: 'signedIn', actions: { type: 'tellRefusal', params: ({ event }) => ({ refusal: refusalOf(event.output) }) } },
                ],
                onError: 'signedIn',
              },
            },
          },
        },
        settings: {
          initial: 'kept',
          on: {
            'location.changed': { guard: 'isNewPath', target: '.fetching' },
            'settings.outdated': '.fetching',
            'server.answered': { guard: 'hasNoSettings', target: '.fetching' },
          },
          states: {
            kept: {},
            fetching: {
              invoke: {
                id: 'fetchSettings',
                src: 'fetchSettings',
                onDone: {
                  target: 'kept',
                  actions: assign(({ context, event }) =>
                    event.output.ok
                      ? { settings: event.output.value, hasSettings: true, isLocked: context.isLocked || event.output.value.isLocked }
                      : {},
                  ),
                },
                onError: 'kept',
              },
            },
          },
        },
        page: {
          initial: 'resolving',
          on: {
            'location.changed': [
              { guard: 'isNewPath', target: '.resolving', actions: ['takeAddress', 'rememberFirst', 'scrollToTop'] },
              {
                actions: [
                  'takeAddress',
                  enqueueActions(({ context, event, enqueue }) => {
                    if (context.page !== null) enqueue.sendTo(context.page, { type: 'address.changed', address: event.address })
                  }),
                ],
              },
            ],
          },
          states: {
            resolving: {
              always: [
                { guard: 'isElsewhere', target: 'redirecting' },
                { guard: 'isForbidden', target: 'forbidden' },
                { guard: 'isMissing', target: 'missing' },
                { target: 'loading' },
              ],
            },
            redirecting: {
              entry: [
                { type: 'navigate', params: ({ context }) => ({ href: leadingTo(context), replace: true }) },
                'forgetUsedDestination',
              ],
            },
            forbidden: { always: { guard: 'isElsewhere', target: 'resolving' } },
            missing: { always: { guard: 'isElsewhere', target: 'resolving' } },
            loading: {
              tags: 'busy',
              always: { guard: 'isNotPage', target: 'resolving' },
              invoke: {
                id: 'loadPage',
                src: 'loadPage',
                input: ({ context }) => ({ name: context.route.name }),
                onDone: { target: 'active', actions: assign({ pageLogic: ({ event }) => event.output }) },
                onError: 'broken',
              },
            },
            broken: {
              tags: 'error',
              always: { guard: 'isNotPage', target: 'resolving' },
              on: { 'page.retried': 'loading' },
            },
            active: {
              entry: 'startPage',
              exit: ['stopPage', 'forgetPage'],
              always: { guard: 'isNotPage', target: 'resolving' },
              on: {
                'page.missing': { actions: { type: 'navigate', params: { href: pathTo('notFound'), replace: true } } },
              },
            },
          },
        },
      },
    },
  },
})

function addressed({ route, address }: AppContext): Destination {
  return { name: route.name, params: route.params, search: address.search }
}

function found(context: AppContext, booted: Booted): Partial<AppContext> {
  return {
    configuration: booted.configuration ?? context.configuration,
    settings: booted.settings ?? context.settings,
    hasSettings: booted.settings !== null,
    user: booted.user,
    isLocked: booted.isLocked || (booted.settings?.isLocked ?? false),
  }
}

function pageInput({ route, address, settings, configuration, user }: AppContext): PageInput {
  return { params: route.params, address, settings, configuration, user }
}

function leadingTo(context: AppContext): string {
  const where = whereabouts(context)
  return where.kind === 'redirect' ? where.href : context.address.pathname
}
