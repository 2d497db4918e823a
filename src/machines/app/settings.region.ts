import { apiErrorOf, unknownApiError } from '../api-errors.ts'
import { appSetup } from './app.setup.ts'

/**
 * The settings, fetched again on every navigation (docs/behaviour.md §3). A failed request keeps the last ones and
 * shows one error until a request succeeds; it is retried as soon as the server answers. After a change of the server
 * that outdates the settings, health is checked too, as its warnings may have changed.
 */
export const settingsRegion = appSetup.createStateConfig({
  initial: 'deciding',
  on: {
    'location.changed': { guard: 'isNewPath', target: '.fetching' },
    'settings.outdated': { target: '.fetching', actions: 'askHealth' },
  },
  states: {
    deciding: { always: [{ guard: 'hasSettings', target: 'kept' }, { target: 'outdated' }] },
    kept: {},
    outdated: { on: { 'server.answered': 'fetching' } },
    fetching: {
      invoke: {
        id: 'fetchSettings',
        src: 'fetchSettings',
        onDone: [
          {
            guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
            target: 'kept',
            actions: [
              { type: 'assignSettings', params: ({ event }) => ({ reply: event.output }) },
              'notifyPrefill',
              'withdrawSettingsFailure',
              'notifyAnswered',
            ],
          },
          {
            target: 'outdated',
            actions: { type: 'raiseSettingsFailure', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
          },
        ],
        onError: {
          target: 'outdated',
          actions: { type: 'raiseSettingsFailure', params: { apiError: unknownApiError } },
        },
      },
    },
  },
})
