import { fromPromise } from 'xstate'
import { getTunnel, startTunnel, stopTunnel } from '../../api/resources/administration.ts'
import { tunnelMachine } from '../../machines/administration/administration.machines.ts'
import { TunnelPage } from '../../views/administration/TunnelPage.tsx'
import { definePage } from '../page.ts'
import { visibility } from '../shared/visibility.ts'

const nothing = { ok: true as const, value: null, retryAfterSeconds: null }

export const page = definePage({
  logic: tunnelMachine.provide({
    actors: {
      fetchResource: fromPromise(async ({ input: { query }, signal }) =>
        query.isEnabled ? getTunnel(signal) : nothing,
      ),
      perform: fromPromise(({ input: { command }, signal }) =>
        command.kind === 'start' ? startTunnel(command.location, signal) : stopTunnel(signal),
      ),
      visibility,
    },
  }),
  View: TunnelPage,
})
