import { apiErrorOf, unknownApiError } from '../api-errors.ts'
import { appSetup } from './app.setup.ts'
import { afterSignIn } from './resolve-route.ts'

/**
 * Who is here. A user comes from the start-up, from signing in (which then asks who that is) or from the first start,
 * and goes by signing out, by a 401 or by a lock. Where the server could not say at start-up it is asked again once it
 * answers; but nobody is asked for before the settings are known, as without them the console is signed out
 * (docs/behaviour.md §2).
 */
export const sessionRegion = appSetup.createStateConfig({
  initial: 'deciding',
  on: {
    'session.opened': {
      target: '.identifying',
      actions: { type: 'takeDemand', params: ({ event }) => ({ mustChangePassword: event.mustChangePassword }) },
    },
    'session.started': {
      target: '.signedIn',
      actions: ['unlock', { type: 'takeUser', params: ({ event }) => ({ user: event.user }) }],
    },
  },
  states: {
    deciding: { always: [{ guard: 'hasUser', target: 'signedIn' }, { target: 'signedOut' }] },
    signedOut: {
      on: {
        'server.answered': { guard: 'canIdentify', target: 'identifying' },
        /** The page says that the link was withdrawn, and signing in leads back to it. */
        'wire.unauthorized': { guard: 'isGuest', actions: 'rememberCurrent' },
      },
    },
    identifying: {
      tags: 'busy',
      invoke: {
        id: 'fetchUser',
        src: 'fetchUser',
        onDone: [
          {
            guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
            target: 'signedIn',
            actions: { type: 'takeIdentity', params: ({ event }) => ({ reply: event.output }) },
          },
          {
            guard: { type: 'isUnauthorized', params: ({ event }) => ({ reply: event.output }) },
            target: 'signedOut',
            actions: 'dropUser',
          },
          {
            target: 'signedOut',
            actions: { type: 'tellApiError', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
          },
        ],
        onError: { target: 'signedOut', actions: { type: 'tellApiError', params: { apiError: unknownApiError } } },
      },
    },
    signedIn: {
      always: { guard: 'hasNoUser', target: 'signedOut' },
      on: {
        'wire.unauthorized': { target: 'signedOut', actions: ['rememberCurrent', 'dropUser'] },
        'session.closeRequested': { actions: 'askLeave' },
        'session.closeGranted': 'closing',
        'user.changed': { actions: { type: 'takeUser', params: ({ event }) => ({ user: event.user }) } },
        'password.changed': {
          guard: 'mustChangePassword',
          actions: [
            'endPasswordChange',
            { type: 'navigate', params: ({ context }) => ({ href: afterSignIn(context), replace: false }) },
            'forgetDestination',
          ],
        },
        'language.chosen': { target: '.savingLanguage', actions: 'takeLanguage' },
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
              { guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) }, target: 'settled' },
              {
                target: 'settled',
                actions: { type: 'tellApiError', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
              },
            ],
            onError: { target: 'settled', actions: { type: 'tellApiError', params: { apiError: unknownApiError } } },
          },
        },
      },
    },
    closing: {
      tags: 'busy',
      always: { guard: 'hasNoUser', target: 'signedOut' },
      on: { 'wire.unauthorized': { target: 'signedOut', actions: ['dropUser', 'forgetDestination'] } },
      invoke: {
        id: 'signOut',
        src: 'signOut',
        onDone: [
          {
            guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
            target: 'signedOut',
            actions: ['dropUser', 'forgetDestination'],
          },
          {
            target: 'signedIn',
            actions: { type: 'tellApiError', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
          },
        ],
        onError: { target: 'signedIn', actions: { type: 'tellApiError', params: { apiError: unknownApiError } } },
      },
    },
  },
})
