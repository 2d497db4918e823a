import { appSetup } from './app.setup.ts'

/**
 * The deployment's configuration. If there was no answer at start-up, it is requested again after each health check.
 * Health is checked again once the configuration has arrived, as it may name another server. Then the version check
 * runs.
 */
export const configurationRegion = appSetup.createStateConfig({
  initial: 'deciding',
  states: {
    deciding: { always: [{ guard: 'isConfigured', target: 'known' }, { target: 'unknown' }] },
    unknown: { on: { 'server.missed': 'fetching', 'server.answered': 'fetching' } },
    fetching: {
      on: { 'server.missed': { target: 'fetching', reenter: true } },
      invoke: {
        id: 'fetchConfiguration',
        src: 'fetchConfiguration',
        onDone: [
          { guard: { type: 'isOutage', params: ({ event }) => ({ reply: event.output }) }, target: 'unknown' },
          {
            target: 'known',
            actions: [{ type: 'assignConfiguration', params: ({ event }) => ({ reply: event.output }) }, 'askHealth'],
          },
        ],
        onError: 'unknown',
      },
    },
    known: {
      invoke: {
        id: 'checkVersion',
        src: 'checkVersion',
        input: ({ context }) => ({ url: context.configuration.versionCheckUrl }),
      },
    },
  },
})
