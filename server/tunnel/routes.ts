import { Tunnel, TunnelStartBody } from '../../src/api/contract/system.ts'
import type { ServerPlugin } from '../context.ts'
import { minuteMs } from '../durations.ts'
import { guarded } from '../guarded.ts'
import { actionNotAcceptable, featureNotFound, licenseExpired, validationError } from '../http/api-error.ts'
import { createTunnel } from './tunnel.ts'

const config = { access: { to: 'administrator' } } as const
const tags = ['tunnel']

export const createTunnelRoutes =
  (command: readonly string[]): ServerPlugin =>
  (app, { cluster, configuration, features, hosts, license, log }) => {
    const tunnel = createTunnel({
      command,
      log,
      settings: () => configuration.values().tunnel,
      port: () => {
        const address = app.server.address()
        return address === null || typeof address === 'string' ? 0 : address.port
      },
    })
    if (command.length > 0) features.add('tunnel')
    hosts.addTunnel(tunnel)
    const isUp = (): boolean => ['starting', 'running'].includes(tunnel.state().status)
    cluster.factSources.push(() => (isUp() ? { tunnel: tunnel.state() } : {}))
    /** A tunnel that another node has, by its last beat. */
    const tunnelElsewhere = (): Tunnel | undefined => {
      if (isUp()) return undefined
      const [found] = cluster
        .nodes()
        .filter(({ id, isAvailable }) => id !== cluster.nodeId && isAvailable)
        .flatMap(({ name, facts }) => (facts.tunnel === undefined ? [] : [{ ...facts.tunnel, node: name }]))
      return found
    }
    const requireNoneElsewhere = (): void => {
      const node = tunnelElsewhere()?.node
      if (node !== undefined) throw actionNotAcceptable(`Node ${node} has the tunnel, and only it can stop it`)
    }
    /** Stops a tunnel that the licence no longer allows, as the console then has no page for it. */
    const stopUnlicensed = async (): Promise<void> => {
      if (isUp() && (license.isExpired() || !license.allows('tunnel'))) await tunnel.stop()
    }
    const timer = setInterval(guarded('tunnel: licence', stopUnlicensed), minuteMs)
    timer.unref()
    app.addHook('onClose', () => {
      clearInterval(timer)
      return tunnel.stop()
    })

    app.get(
      '/v1/tunnel/status',
      { config, schema: { tags, response: { 200: Tunnel } } },
      async () => tunnelElsewhere() ?? tunnel.state(),
    )

    app.post(
      '/v1/tunnel/start',
      { config, schema: { tags, body: TunnelStartBody, response: { 200: Tunnel } } },
      async ({ body }) => {
        if (command.length === 0) throw featureNotFound()
        if (license.isExpired()) throw licenseExpired()
        if (!license.allows('tunnel')) throw featureNotFound()
        if (!configuration.values().tunnel.locations.includes(body.location))
          throw validationError({ location: 'Unknown location' })
        requireNoneElsewhere()
        tunnel.start(body.location)
        return tunnel.state()
      },
    )

    app.post('/v1/tunnel/stop', { config, schema: { tags, response: { 200: Tunnel } } }, async () => {
      requireNoneElsewhere()
      await tunnel.stop()
      return tunnel.state()
    })
  }
