import fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { KeyObject } from 'node:crypto'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { version } from './version.ts'
import { createAccess } from './access/access.ts'
import { installGate } from './access/gate.ts'
import { followChanges } from './access/follow-changes.ts'
import { installRevocation } from './access/revocation.ts'
import { createShares, readServerKey } from './access/shares.ts'
import { storageOptionsOf, type StorageOptions } from './storage/storage-options.ts'
import { installAudit } from './audit/audit.ts'
import { createAuditLog, markInterrupted } from './audit/audit-log.ts'
import { auditRoutes } from './audit/routes.ts'
import { bookmarkRoutes } from './bookmarks/bookmarks.ts'
import { installNodeCalls } from './cluster/install-node-calls.ts'
import { identifyPassed, withoutPassPrefix } from './cluster/node-requests.ts'
import { clusterRoutes } from './cluster/routes.ts'
import { createClusterClock } from './cluster/clock.ts'
import { shareSiteKeys } from './cluster/site-keys.ts'
import { openCluster, type MembershipOptions } from './cluster/open.ts'
import { groupRoutes } from './groups/routes.ts'
import type { OidcOptions } from './oidc/options.ts'
import { createOidcRoutes } from './oidc/routes.ts'
import { createSettings } from './settings.ts'
import { createConfiguration } from './configuration/configuration.ts'
import { configurationRoutes } from './configuration/routes.ts'
import { builtInValues, type ConfigurationValues } from './configuration/values.ts'
import type { ServerPlugin, ServerContext, ServerSettings } from './context.ts'
import type { App } from './http/fastify.ts'
import { addressListOf, type AddressList } from './http/address-list.ts'
import { consoleRoutes, createConsoleBuild } from './http/console.ts'
import type { ConsoleConfiguration } from './http/console-configuration.ts'
import { configurationBelow } from './http/base-path.ts'
import { baseOptions, installBase } from './http/base.ts'
import { logFaults } from './http/faults.ts'
import { fieldWords } from './http/field-words.ts'
import { installProtection } from './http/protection.ts'
import { installFinishing } from './http/finishing.ts'
import { createHosts, installHosts } from './http/hosts.ts'
import { lenientJson } from './http/json.ts'
import { bareBodyLimit, installBodyLimits, installHeadLimits } from './http/limits.ts'
import { createServerLog, loggerOptions } from './http/log.ts'
import { installOpenApi } from './http/openapi.ts'
import { followRenewals } from './http/tls-renewal.ts'
import { endConnectionsOnClose, tlsOptions, type Tls } from './http/tls.ts'
import { createLicense } from './license/license.ts'
import { demoPublicKey } from './license/license-text.ts'
import { licenseRoutes } from './license/routes.ts'
import { installMetrics } from './metrics/metrics.ts'
import { createMetricsRoutes } from './metrics/routes.ts'
import { createMailer } from './mail/mailer.ts'
import { mosaicRoutes } from './mosaics/mosaics.ts'
import { schema } from './schema.ts'
import { planRoutes } from './plans/routes.ts'
import { createBackgroundWrites } from './store/background-writes.ts'
import { createChanges } from './store/changes.ts'
import type { Connect } from './store/engine.ts'
import { openDatabaseOf } from './store/open.ts'
import { databaseName, secureFolder } from './store/secure-folder.ts'
import { noStreams } from './streams/no-streams.ts'
import { createOverload, type Overload } from './administration/host-load.ts'
import { readinessRoutes } from './administration/readiness.ts'
import { serverLogRoutes } from './administration/server-log.ts'
import { supportBundleRoutes } from './administration/support-bundle.ts'
import { statsRoutes } from './administration/stats-routes.ts'
import { systemRoutes } from './administration/system.ts'
import { createTunnelRoutes } from './tunnel/routes.ts'
import { userRoutes } from './users/user-routes.ts'
import { createIdentity } from './users/identity.ts'
import { profileRoutes } from './users/profile.ts'
import { recoveryRoutes } from './users/recovery.ts'
import { signInRoutes } from './users/sign-in.ts'
import { createUsers } from './users/users.ts'

export type ServerOptions = Partial<StorageOptions> & {
  dataDir: string
  distDir: string
  plugins: readonly ServerPlugin[]
  settings?: Partial<Pick<ServerSettings, 'demo' | 'nodeId'>>
  defaults?: ConfigurationValues
  configuration?: ConsoleConfiguration
  /** The program of the tunnel and its arguments, in which `{port}` and `{location}` are replaced. Empty: no tunnel. */
  tunnelCommand?: readonly string[]
  licenseKey?: KeyObject
  /** A pino level for stderr, `silent` by default. Administrators see the log from `info` on. */
  logLevel?: string
  trustProxy?: string
  basePath?: string
  /** Addresses that may read metrics without a token. */
  metricsAllow?: AddressList
  /** The provider of single sign-on. */
  oidc?: OidcOptions
  /** Host names besides IP addresses, loopback and this machine's name; `*.example.org` matches one label. */
  allowedHosts?: readonly string[]
  /** HTTPS over HTTP/2; undefined: plain HTTP. */
  tls?: Tls
  /** How long closing waits for downloads in progress; 0 by default. */
  graceMs?: number
  /** By default that of the machine, from `processorMaxPercent` on. */
  overload?: Overload
  now?: () => number
  /** Opens a connection to SQLite, by default in a thread of its own. */
  connect?: Connect
  openDatabase?: typeof openDatabaseOf
  /** A PostgreSQL database instead of a file in the data folder. */
  databaseUrl?: string
  /** Several servers on that database, and on one bucket. */
  cluster?: MembershipOptions
  /** Called after the gate is installed and before any route is added. */
  beforeRoutes?: (app: App) => void
}

const corePlugins: readonly ServerPlugin[] = [
  systemRoutes,
  readinessRoutes,
  statsRoutes,
  signInRoutes,
  recoveryRoutes,
  profileRoutes,
  userRoutes,
  groupRoutes,
  mosaicRoutes,
  planRoutes,
  auditRoutes,
  bookmarkRoutes,
  serverLogRoutes,
  supportBundleRoutes,
  configurationRoutes,
  licenseRoutes,
  clusterRoutes,
]

const requestTimeout = 60_000

export const buildServer = async (options: ServerOptions): Promise<App> => {
  z.config({ localeError: fieldWords })
  const dataDir = resolve(options.dataDir)
  const folderWarnings = secureFolder(dataDir)
  const time = createClusterClock(options.now ?? Date.now)
  const { now } = time
  const { basePath = '' } = options
  const consoleConfiguration = configurationBelow(basePath, options.configuration ?? {})
  const logLevel = options.logLevel ?? 'silent'
  const serverLog = createServerLog(logLevel, now())

  const app: App = fastify({
    ...tlsOptions(options.tls, requestTimeout),
    logger: loggerOptions(logLevel === 'trace' || logLevel === 'debug' ? logLevel : 'info', serverLog.write),
    ...baseOptions(basePath, options.cluster && withoutPassPrefix),
    requestTimeout,
    // A busy machine, a slow disk or a long migration delays the start; it doesn't fail.
    pluginTimeout: 0,
    bodyLimit: bareBodyLimit,
    trustProxy: options.trustProxy ?? false,
    routerOptions: { maxParamLength: 500 },
  }).withTypeProvider<ZodTypeProvider>()
  const finishing = installFinishing(app, options.graceMs ?? 0)
  if (options.tls !== undefined) endConnectionsOnClose(app)
  logFaults(app)
  for (const warning of folderWarnings) app.log.warn(warning)

  const databaseFile = join(dataDir, databaseName)
  const store = await (options.openDatabase ?? openDatabaseOf)(databaseFile, options, schema)
  app.addHook('onClose', store.close)
  const backgroundWrites = createBackgroundWrites(store)

  const configuration = await createConfiguration(store, options.defaults ?? builtInValues, now)
  const settings = createSettings(configuration, options)
  const license = await createLicense(store, options.licenseKey ?? demoPublicKey, now)
  const access = createAccess(store, license.isExpired)
  if (options.cluster !== undefined) await shareSiteKeys(store, dataDir, options.cluster.secret)
  const serverKey = readServerKey(dataDir)
  const shares = createShares(store, serverKey, now)
  const users = createUsers({ store, backgroundWrites, serverKey, now })
  const identity = createIdentity({ store, shares, configuration, now, ...users })
  const node = options.cluster?.nodeId ?? ''
  const audit = await createAuditLog(store, now, { node })
  const needs = { store, file: databaseFile, configuration, time, nodeId: settings.nodeId, version }
  const cluster = await openCluster(app, needs, options)
  // Now no other server runs as this node.
  await markInterrupted(store, node)
  const context: ServerContext = {
    store,
    changes: createChanges(),
    backgroundWrites,
    access,
    shares,
    ...users,
    identity,
    dataDir,
    ...storageOptionsOf(dataDir, options),
    settings,
    configuration,
    license,
    now,
    hosts: createHosts(options.allowedHosts ?? [], options.tls),
    overload: options.overload ?? createOverload(() => settings.processorMaxPercent),
    features: new Set(),
    consoleBuild: createConsoleBuild(options.distDir),
    healthSources: [],
    finishing,
    readyChecks: [],
    metrics: installMetrics(app, version),
    streams: noStreams,
    audit,
    cluster,
    nodeCalls: undefined,
    mailer: createMailer(app, { configuration, log: app.log }),
    log: app.log,
    serverLog,
  }

  installBase(app, basePath)
  lenientJson(app)
  await installProtection(app, { ...consoleConfiguration, logo: () => configuration.values().application.logo })
  installHeadLimits(app)
  installHosts(app, context.hosts)
  if (options.tls !== undefined) followRenewals(app, options.tls, context.hosts)
  installBodyLimits(app)
  context.nodeCalls = installNodeCalls(app, context, options.cluster)
  installAudit(app, context)
  const revocation = installRevocation(app, context, identity.currentCaller)
  await followChanges(app, context, revocation, options.databaseUrl)
  installGate(app, {
    access,
    revocation,
    hasAdministrator: users.accounts.hasAdministrator,
    identify: async (request) => (await identifyPassed(request, identity.currentCaller)) ?? identity.identify(request),
  })
  app.addHook('onSend', async (request, reply) => {
    if ((request.routeOptions.url ?? request.url).startsWith('/v1/') && !reply.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store')
  })
  options.beforeRoutes?.(app)
  await installOpenApi(app, settings.version)
  await app.register(async (scope) =>
    consoleRoutes(scope, { distDir: resolve(options.distDir), configuration: consoleConfiguration, context }),
  )
  const optional = [
    createTunnelRoutes(options.tunnelCommand ?? []),
    createOidcRoutes({ provider: options.oidc, apiBaseUrl: consoleConfiguration.apiBaseUrl ?? '' }),
    createMetricsRoutes(options.metricsAllow ?? addressListOf('')),
  ]
  for (const plugin of [...corePlugins, ...optional, ...options.plugins])
    await app.register(async (scope) => plugin(scope, context))
  await app.ready()
  return app
}
