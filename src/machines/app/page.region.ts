import { appSetup } from './app.setup.ts'
import { pathTo } from './routes.ts'
import { redirectHref } from './resolve-route.ts'

/**
 * Resolves the address, loads the page's code and runs its machine until the page is left. A new path leads back to
 * `resolving`, and so does a change of session, settings or `isLocked` after which the address leads elsewhere.
 */
export const pageRegion = appSetup.createStateConfig({
  initial: 'resolving',
  on: {
    'location.changed': [
      {
        guard: 'isNewPath',
        target: '.resolving',
        actions: ['assignAddress', 'closePalette', 'rememberNewDestination', 'scrollToTop'],
      },
      { actions: ['assignAddress', 'notifyAddress'] },
    ],
  },
  states: {
    resolving: {
      always: [
        { guard: 'isRedirect', target: 'redirecting' },
        { guard: 'isForbidden', target: 'forbidden' },
        { guard: 'isMissing', target: 'missing' },
        { target: 'loading' },
      ],
    },
    redirecting: {
      entry: [
        { type: 'navigate', params: ({ context }) => ({ href: redirectHref(context), replace: true }) },
        'forgetUsedDestination',
      ],
    },
    forbidden: { always: { guard: 'isNotForbidden', target: 'resolving' } },
    missing: { always: { guard: 'isNotMissing', target: 'resolving' } },
    loading: {
      tags: 'busy',
      always: { guard: 'isNotPage', target: 'resolving' },
      invoke: {
        id: 'loadPage',
        src: 'loadPage',
        input: ({ context }) => ({ name: context.route.name }),
        onDone: {
          target: 'active',
          actions: { type: 'assignPageLogic', params: ({ event }) => ({ logic: event.output }) },
        },
        /** Its file may be gone because the server was updated, which health notices. */
        onError: { target: 'broken', actions: 'askHealth' },
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
        'xstate.error.actor.*': {
          guard: 'isPageFailure',
          target: 'broken',
          actions: { type: 'reportError', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
  },
})
