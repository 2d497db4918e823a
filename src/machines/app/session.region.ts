import { raiseFault, raiseRefusal } from '../api-errors.ts'
import { appSetup } from './app.setup.ts'
import { afterSignIn } from './resolve-route.ts'

const refused = { type: 'notifySessionRefused', params: { code: '' } } as const

/**
 * The signed-in user. It is set at start-up, after signing in (which fetches the user) or by server initialization, and
 * cleared by signing out, a 401 or a 423. If the server didn't answer at start-up, the user is requested once it does,
 * but never before the settings are known: without them the console is signed out (docs/behaviour.md §2).
 */
export const sessionRegion = appSetup.createStateConfig({
  initial: 'deciding',
  on: {
    'session.opened': {
      target: '.identifying',
      actions: [
        'withdrawErrors',
        {
          type: 'assignMustChangePassword',
          params: ({ event }) => ({ mustChangePassword: event.mustChangePassword }),
        },
      ],
    },
    'session.started': {
      target: '.signedIn',
      actions: [
        'withdrawErrors',
        'markInitialized',
        { type: 'assignUser', params: ({ event }) => ({ user: event.user }) },
      ],
    },
  },
  states: {
    deciding: { always: [{ guard: 'hasUser', target: 'signedIn' }, { target: 'signedOut' }] },
    signedOut: {
      on: {
        'server.answered': { guard: 'canIdentify', target: 'identifying' },
        /** The share of a guest was withdrawn: the page says so, and signing in returns to it. */
        'wire.unauthorized': { guard: 'isGuest', actions: 'rememberCurrentAddress' },
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
            actions: { type: 'assignIdentity', params: ({ event }) => ({ reply: event.output }) },
          },
          {
            guard: { type: 'isUnauthorized', params: ({ event }) => ({ reply: event.output }) },
            target: 'signedOut',
            actions: ['dropUser', { type: 'notifySessionRefused', params: { code: 'AuthorizationRequired' } }],
          },
          {
            target: 'signedOut',
            actions: [raiseRefusal, refused],
          },
        ],
        onError: { target: 'signedOut', actions: [raiseFault, refused] },
      },
    },
    signedIn: {
      always: { guard: 'hasNoUser', target: 'signedOut' },
      on: {
        'wire.unauthorized': { target: 'signedOut', actions: ['rememberCurrentAddress', 'dropUser'] },
        'session.closeRequested': { actions: 'askLeave' },
        'session.closeGranted': 'closing',
        /** What this tab shows is of the user before, whose rights the calls no longer have. */
        'session.replaced': {
          guard: { type: 'isOtherUser', params: ({ event }) => ({ login: event.login }) },
          actions: ['endPasswordChange', 'reload'],
        },
        'user.changed': { actions: { type: 'assignUser', params: ({ event }) => ({ user: event.user }) } },
        'user.patched': { actions: { type: 'patchUser', params: ({ event }) => ({ changes: event.changes }) } },
        'password.changed': {
          guard: 'mustChangePassword',
          actions: [
            'endPasswordChange',
            { type: 'navigate', params: ({ context }) => ({ href: afterSignIn(context), replace: false }) },
            'forgetReachedDestination',
          ],
        },
        'factor.added': {
          actions: [
            { type: 'navigate', params: ({ context }) => ({ href: afterSignIn(context), replace: false }) },
            'forgetReachedDestination',
          ],
        },
        'language.chosen': { target: '.savingLanguage', actions: 'assignLanguage' },
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
                actions: raiseRefusal,
              },
            ],
            onError: { target: 'settled', actions: raiseFault },
          },
        },
      },
    },
    closing: {
      tags: 'busy',
      always: { guard: 'hasNoUser', target: 'signedOut' },
      on: { 'wire.unauthorized': { target: 'signedOut', actions: ['dropUser', 'forgetDestination', 'endSharing'] } },
      invoke: {
        id: 'signOut',
        src: 'signOut',
        onDone: [
          {
            guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
            target: 'signedOut',
            actions: ['dropUser', 'forgetDestination', 'endSharing'],
          },
          {
            target: 'signedIn',
            actions: [raiseRefusal, 'undoLeave'],
          },
        ],
        onError: { target: 'signedIn', actions: [raiseFault, 'undoLeave'] },
      },
    },
  },
})
