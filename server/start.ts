import { once } from 'node:events'
import { createFirstAdministrator } from './administration/system.ts'
import { buildServer } from './app.ts'
import type { ServerContext } from './context.ts'
import type { App } from './http/fastify.ts'
import { guarded } from './guarded.ts'
import { readConsoleConfiguration } from './http/console.ts'
import { ApiError } from './http/api-error.ts'
import { readOptions, usage, type Options } from './options.ts'
import { pluginsOf } from './plugins.ts'
import { divideGroup } from './media/control-groups.ts'
import { requirePrograms } from './media/programs.ts'
import { adoptSandbox, sandbox, sandboxWarnings, sandboxHealth } from './media/sandbox.ts'
import { buildProxy } from './upstream/proxy.ts'
import { UsageError } from './usage-error.ts'
import { exitCodes, print, stopSignal } from './commands/command.ts'

/** Weak passwords and invalid logins are mistakes in the options: another start would fail again. */
const createAdministrator = async (
  context: ServerContext,
  administrator: { login: string; password: string },
): Promise<void> => {
  try {
    await createFirstAdministrator(context, { ...administrator, email: '' })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const reason = error.message || Object.values(error.details ?? {}).join('; ') || error.code
    throw new UsageError(`ADMIN_LOGIN, ADMIN_PASSWORD: ${reason}`)
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
    configuration: readConsoleConfiguration(options.configurationFile),
    ...(trustProxy === undefined ? {} : { trustProxy }),
    ...(tls === undefined ? {} : { tls }),
  }
  if (upstream !== undefined) {
    return { app: await buildProxy({ ...shared, upstream }), notices: [`/v1 is forwarded to ${upstream.origin}.`] }
  }

  requirePrograms()
  const groups = divideGroup()
  if (groups !== undefined) adoptSandbox({ ...sandbox(), groups, group: groups.work })
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
    ...(options.databaseUrl === undefined ? {} : { databaseUrl: options.databaseUrl }),
    ...(options.cluster === undefined ? {} : { cluster: options.cluster }),
    ...(options.metricsAllow === undefined ? {} : { metricsAllow: options.metricsAllow }),
    ...(options.oidc === undefined ? {} : { oidc: options.oidc }),
    ...(options.licenceKey === undefined ? {} : { licenceKey: options.licenceKey }),
    plugins: [
      async (_app, context) => {
        if (administrator !== undefined && !(await context.accounts.hasAdministrator())) {
          await createAdministrator(context, administrator)
        }
        hasAdministrator = await context.accounts.hasAdministrator()
        context.healthSources.push(() => sandboxHealth(sandbox()))
      },
      ...pluginsOf(options),
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

const consoleUrl = ({ host, tls }: Options, port: number): string => {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `${tls === undefined ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${port}/ui/`
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
  await once(stopSignal(exitCodes.failed), 'abort')
}

const reasonOf = (error: unknown, options: Options | undefined): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `Port ${options?.port} is taken; choose another: PORT=8081 npm start`
  if (code === 'EACCES') return `No permission: ${error instanceof Error ? error.message : ''}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
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
    await stopped
    // A plugin that hangs while stopping must not keep the process running.
    setTimeout(
      guarded('start: end', () => process.exit(exitCodes.failed)),
      stopWithinMs,
    ).unref()
    await app.close()
    return 0
  } catch (error) {
    process.stderr.write(
      error instanceof UsageError
        ? `${error.message}\n\n${usage}`
        : `Sightline could not start. ${reasonOf(error, options)}\n`,
    )
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed
  }
}
