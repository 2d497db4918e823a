import { noResponse } from '../api-errors.ts'
import { appSetup, publishedState } from './app.setup.ts'
import { configurationRegion } from './configuration.region.ts'
import { pageRegion } from './page.region.ts'
import { matchRoute } from './routes.ts'
import { sessionRegion } from './session.region.ts'
import { settingsRegion } from './settings.region.ts'

/**
 * The console. It boots once; then four regions run in parallel: the session, the configuration, the settings and the
 * page of the current address, each in its own file. Health and notifications run all the time, the command palette and
 * the downloads from their first use. The document and the browser's storage follow the context by one `always`
 * transition.
 */
export const appMachine = appSetup.createMachine({
  id: 'app',
  context: ({ input }) => ({
    address: input.address,
    route: matchRoute(input.address.pathname),
    configuration: input.defaults.configuration,
    settings: input.defaults.settings,
    isConfigured: false,
    hasSettings: false,
    dismissals: input.dismissals,
    destination: input.destination,
    isDestinationUsed: false,
    language: input.language,
    theme: input.theme,
    keyReach: input.keyReach,
    wasSignedIn: input.wasSignedIn,
    user: null,
    isIdentified: false,
    isLocked: false,
    lockSource: 'settings',
    mustChangePassword: input.mustChangePassword,
    isShared: input.isShared,
    subject: null,
    newVersion: null,
    isServerUpdated: false,
    pageLogic: null,
    page: null,
    palette: null,
    clips: null,
    lastPublished: publishedState({ ...input, ...input.defaults, user: null, hasSettings: false }),
  }),
  invoke: [
    { id: 'notifications', systemId: 'notifications', src: 'notifications' },
    { id: 'location', systemId: 'location', src: 'location' },
    { id: 'appearance', src: 'appearance', input: ({ context }) => context.lastPublished },
    { id: 'registerServiceWorker', src: 'registerServiceWorker' },
    { id: 'health', systemId: 'health', src: 'health', input: ({ context }) => ({ dismissals: context.dismissals }) },
  ],
  initial: 'booting',
  always: {
    guard: 'hasUnpublished',
    actions: [
      'notifyUserSwitched',
      'notifyAppearance',
      { type: 'store', params: ({ context }) => ({ before: context.lastPublished, after: publishedState(context) }) },
      'markPublished',
    ],
  },
  on: {
    'palette.loaded': { guard: 'hasNoPalette', actions: { type: 'startPalette', params: ({ event }) => event } },
    'clips.loaded': { guard: 'hasNoClips', actions: { type: 'startClips', params: ({ event }) => event } },
    'location.changed': { actions: 'assignAddress' },
    'boot.settled': { actions: 'askHealth' },
    'server.updated': { actions: 'markUpdated' },
    'reload.requested': { actions: 'reload' },
    'theme.chosen': { actions: { type: 'assignTheme', params: ({ event }) => ({ theme: event.theme }) } },
    'keyReach.chosen': { actions: { type: 'assignKeyReach', params: ({ event }) => ({ keyReach: event.keyReach }) } },
    'language.chosen': { actions: 'assignLanguage' },
    /** Unhandled, an error of a child would stop the root machine. */
    'xstate.error.actor.*': { actions: { type: 'reportError', params: ({ event }) => ({ error: event.error }) } },
    'navigation.requested': {
      actions: { type: 'navigate', params: ({ event }) => ({ href: event.href, replace: false }) },
    },
  },
  states: {
    booting: {
      invoke: {
        id: 'boot',
        src: 'boot',
        onDone: {
          target: 'running',
          actions: [
            { type: 'assignBooted', params: ({ event }) => ({ booted: event.output }) },
            { type: 'raiseSettingsFailure', params: ({ event }) => ({ apiError: event.output.settingsApiError }) },
            { type: 'raiseApiError', params: ({ event }) => ({ apiError: event.output.userApiError }) },
            'rememberNewDestination',
          ],
        },
        onError: {
          target: 'running',
          actions: [{ type: 'raiseSettingsFailure', params: { apiError: noResponse } }, 'rememberNewDestination'],
        },
      },
    },
    running: {
      type: 'parallel',
      entry: 'notifyAppearance',
      invoke: [
        { id: 'watchApiErrors', src: 'watchApiErrors' },
        { id: 'watchOtherTabs', src: 'watchOtherTabs' },
      ],
      on: {
        'wire.locked': { actions: 'markLocked' },
        'server.initialized': { actions: 'markInitialized' },
        'version.found': { actions: { type: 'assignNewVersion', params: ({ event }) => event } },
        'page.described': { actions: { type: 'assignSubject', params: ({ event }) => ({ subject: event.subject }) } },
      },
      states: {
        session: sessionRegion,
        configuration: configurationRegion,
        settings: settingsRegion,
        page: pageRegion,
      },
    },
  },
})
