import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { dirname } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { administratorError } from './administration/administrator-options.ts'
import { createFirstAdministrator } from './administration/system.ts'
import { buildServer } from './app.ts'
import type { ServerContext } from './context.ts'
import type { App } from './http/fastify.ts'
import { guarded } from './guarded.ts'
import { ApiError } from './http/api-error.ts'
import { readOptions, usage, type Options } from './options.ts'
import { pluginsOf } from './plugins.ts'
import { divideGroup } from './media/control-groups.ts'
import { requirePrograms } from './media/programs.ts'
import { adoptGroups, sandbox, sandboxWarnings, sandboxHealth } from './media/sandbox.ts'
import { StoreError, UnusableDatabase } from './store/connection.ts'
import { inUse, lockDataFolder } from './store/data-lock.ts'
import type { openDatabaseOf } from './store/open.ts'
import { openWhenThere } from './store/open-when-there.ts'
import { buildProxy } from './upstream/proxy.ts'
import { UsageError } from './usage-error.ts'
import { exitCodes, print, signalOfStop } from './commands/command.ts'

const complain = (line: string): void => void process.stderr.write(`${line}\n`)

/** Opens the database of a data folder that no other process uses, once it is there. */
const openAlone: typeof openDatabaseOf = async (file, options, schema) => {
  const dataDir = dirname(file)
  if (lockDataFolder(dataDir) === undefined) throw new StoreError(inUse(dataDir))
  return openWhenThere(complain)(file, options, schema)
}

const createAdministrator = async (
  context: ServerContext,
  administrator: { login: string; password: string },
): Promise<void> => {
  try {
    await createFirstAdministrator(context, { ...administrator, email: '' })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Another node was faster.
    if (await context.accounts.hasAdministrator()) return
    throw administratorError(error)
  }
}

/** `notices`: lines for the terminal, shown once the server listens. */
export const build = async (options: Options): Promise<{ app: App; notices: string[] }> => {
  const { dataDir, archiveDirs, distDir, upstream, logLevel, trustProxy, allowedHosts, tls, administrator, demo } =
    options
  const shared = {
    distDir,
    logLevel,
    allowedHosts,
    configuration: options.configuration,
    basePath: options.basePath,
    ...(trustProxy === undefined ? {} : { trustProxy }),
    ...(tls === undefined ? {} : { tls }),
  }
  if (upstream !== undefined) {
    return { app: await buildProxy({ ...shared, upstream }), notices: [`/v1 is forwarded to ${upstream.origin}.`] }
  }

  requirePrograms()
  adoptGroups(divideGroup())
  const plugins = pluginsOf(options)
  let hasAdministrator = false
  const app = await buildServer({
    ...shared,
    dataDir,
    archiveDirs,
    archiveUrl: options.archiveUrl,
    dropsOldest: options.dropsOldest,
    graceMs,
    settings: { demo },
    defaults: options.defaults,
    tunnelCommand: options.tunnelCommand,
    openDatabase: openAlone,
    ...(options.databaseUrl === undefined ? {} : { databaseUrl: options.databaseUrl }),
    ...(options.cluster === undefined ? {} : { cluster: options.cluster }),
    ...(options.metricsAllow === undefined ? {} : { metricsAllow: options.metricsAllow }),
    ...(options.oidc === undefined ? {} : { oidc: options.oidc }),
    ...(options.licenseKey === undefined ? {} : { licenseKey: options.licenseKey }),
    plugins: [
      async (_app, context) => {
        if (administrator !== undefined && !(await context.accounts.hasAdministrator())) {
          await createAdministrator(context, administrator)
        }
        hasAdministrator = await context.accounts.hasAdministrator()
        context.healthSources.push(() => sandboxHealth(sandbox()))
      },
      ...plugins,
    ],
  })
  return {
    app,
    notices: [
      ...(hasAdministrator ? [] : ['Open it and create the first administrator.']),
      `The data folder is ${dataDir}.`,
      ...sandboxWarnings(sandbox()),
    ],
  }
}

const consoleUrl = ({ host, tls, basePath }: Options, port: number): string => {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `${tls === undefined ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${port}${basePath}/ui/`
}

/** The port that a server listens on. */
export const portOf = (app: App): number => {
  const address = app.server.address()
  return address === null || typeof address === 'string' ? 0 : address.port
}

/** How long downloads in progress may go on after a stop. */
const graceMs = 10_000
/** The process ends after this time even if something hangs; sooner than TimeoutStopSec of deploy/sightline.service. */
const stopWithinMs = graceMs + 10_000

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')

/** Resolves with the first SIGINT or SIGTERM; a second one ends the process at once. */
export const untilStopped = async (): Promise<void> => {
  await once(signalOfStop(exitCodes.failed), 'abort')
}

const reasonOf = (error: unknown, options: Options | undefined): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `Port ${options?.port} is taken; choose another with --port or PORT.`
  if (code === 'EACCES') return `No permission: ${error instanceof Error ? error.message : ''}`
  // The stack only helps with an error of the program itself.
  if (error instanceof StoreError || (error instanceof Error && 'syscall' in error)) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/**
 * systemd starts a server that ends again at once, so that cameras lose little. A start that fails would fail again
 * just as fast: it waits before it ends.
 */
const failedPauseMs = 5000
/** Whether this is the main process of a unit of systemd. */
const isUnit = (env: NodeJS.ProcessEnv): boolean => env['SYSTEMD_EXEC_PID'] === String(process.pid)

/** Says why the server did not start. Returns the exit code. */
const fail = async (error: unknown, options: Options | undefined, env: NodeJS.ProcessEnv): Promise<number> => {
  if (error instanceof UsageError) {
    complain(`${error.message}\n"sightline start --help" lists the options.`)
    return exitCodes.usage
  }
  if (error instanceof UnusableDatabase) {
    complain(`Sightline could not start. ${error.message}`)
    return exitCodes.unusableDatabase
  }
  complain(`Sightline could not start. ${reasonOf(error, options)}`)
  if (isUnit(env)) await after(failedPauseMs)
  return exitCodes.failed
}

export const main = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> => {
  let options: Options | undefined
  try {
    options = readOptions(args, env)
    if (options === undefined) {
      print(usage)
      return 0
    }
    const { app, notices } = await build(options)
    const stopped = untilStopped()
    await app.listen({ host: options.host, port: options.port }).catch(async (error: unknown) => {
      await app.close()
      throw error
    })
    // Node reports a connection that it could not accept, as when descriptors run out; other connections go on.
    app.server.on(
      'error',
      guarded('start: listener', (error: Error) => app.log.error({ err: error }, 'a connection was not accepted')),
    )
    print(`Sightline is at ${consoleUrl(options, portOf(app))}`)
    for (const notice of notices) print(notice)
    if (!isLoopback(options.host) && options.trustProxy === undefined && options.tls === undefined) {
      print(
        'Warning: without HTTPS, others on the network can read passwords and watch video. ' +
          'Set a certificate (TLS_CERT, TLS_KEY), or put the server behind a reverse proxy (TRUST_PROXY).',
      )
    }
    print('Stop it with Ctrl-C.')
    flushCompileCache()
    await stopped
    // A plugin that hangs while stopping must not keep the process running.
    setTimeout(
      guarded('start: end', () => process.exit(exitCodes.failed)),
      stopWithinMs,
    ).unref()
    await app.close()
    return 0
  } catch (error) {
    return fail(error, options, env)
  }
}
