import { appSetup } from './app.setup.ts'

/**
 * The deployment's configuration. Where nobody answered at start-up it is asked for again beside the server itself,
 * until one of them answers; and as it may say that the server is elsewhere, health is asked anew once it is there.
 * Only then is a newer version looked for.
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
            actions: [{ type: 'takeConfiguration', params: ({ event }) => ({ reply: event.output }) }, 'askHealth'],
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
