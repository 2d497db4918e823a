import { apiErrorOf, unknownApiError } from '../api-errors.ts'
import { appSetup } from './app.setup.ts'

/**
 * The settings, fetched again on every navigation (docs/behaviour.md §3). A failed fetch keeps the last ones and is
 * told until one succeeds; it is tried again as soon as the server answers anything. What outdates them may change the
 * warnings, too. Settings that come are an answer of the server like any other, and who is here waits for them.
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
              { type: 'takeSettings', params: ({ event }) => ({ reply: event.output }) },
              'withdrawSettingsFailure',
              'tellAnswered',
            ],
          },
          {
            target: 'outdated',
            actions: { type: 'tellSettingsFailure', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
          },
        ],
        onError: {
          target: 'outdated',
          actions: { type: 'tellSettingsFailure', params: { apiError: unknownApiError } },
        },
      },
    },
  },
})
