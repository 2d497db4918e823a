import { once } from 'node:events'
import { unlock } from './administration/system.ts'
import { buildServer } from './app.ts'
import type { App } from './http/fastify.ts'
import { guarded } from './guarded.ts'
import { readConfiguration } from './http/console.ts'
import { ApiError } from './http/api-error.ts'
import { readOptions, usage, type Options } from './options.ts'
import { pluginsOf } from './plugins.ts'
import { requirePrograms } from './media/programs.ts'
import { sandbox, gapsOfSandbox, warningsOfSandbox } from './media/sandbox.ts'
import { buildProxy } from './upstream/proxy.ts'
import { UsageError } from './usage-error.ts'
import { exitCodes, print, untilInterrupted } from './commands/command.ts'

export const build = async (options: Options): Promise<{ app: App; hints: string[] }> => {
  const { dataDir, archiveDirs, distDir, upstream, logLevel, trustProxy, allowedHosts, tls, administrator, demo } =
    options
  const shared = {
    distDir,
    logLevel,
    allowedHosts,
    configuration: readConfiguration(options.configurationFile),
    ...(trustProxy === undefined ? {} : { trustProxy }),
    ...(tls === undefined ? {} : { tls }),
  }
  if (upstream !== undefined) {
    return { app: await buildProxy({ ...shared, upstream }), hints: [`Calls of /v1 go on to ${upstream.origin}.`] }
  }

  requirePrograms()
  let isLocked = true
  const app = await buildServer({
    ...shared,
    dataDir,
    archiveDirs,
    archiveUrl: options.archiveUrl,
    dropsSpool: options.dropsSpool,
    graceMs,
    settings: { demo },
    defaults: options.defaults,
    tunnelCommand: options.tunnelCommand,
    ...(options.databaseUrl === undefined ? {} : { databaseUrl: options.databaseUrl }),
    ...(options.metricsAllow === undefined ? {} : { metricsAllow: options.metricsAllow }),
    ...(options.licenceKey === undefined ? {} : { licenceKey: options.licenceKey }),
    plugins: [
      async (_app, context) => {
        if (administrator !== undefined && !(await context.people.hasAdministrator())) {
          await unlock(context, { ...administrator, email: '' })
        }
        isLocked = !(await context.people.hasAdministrator())
        context.healthSources.push(() => warningsOfSandbox(sandbox()))
      },
      ...pluginsOf(options.mqtt),
    ],
  })
  return {
    app,
    hints: [
      ...(isLocked ? ['Open it and create the first administrator.'] : []),
      `Everything is kept in ${dataDir}.`,
      ...gapsOfSandbox(sandbox()),
    ],
  }
}

const addressOf = ({ host, tls }: Options, port: number): string => {
  const named = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `${tls === undefined ? 'http' : 'https'}://${named.includes(':') ? `[${named}]` : named}:${port}/ui/`
}

export const portOf = (app: App): number => {
  const address = app.server.address()
  return address === null || typeof address === 'string' ? 0 : address.port
}

/** Downloads under way get this long when the server is stopped; the service waits longer (deploy/). */
const graceMs = 10_000

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')

/** Resolves on the first SIGINT or SIGTERM; a second one exits at once. */
export const untilStopped = async (): Promise<void> => {
  await once(untilInterrupted(exitCodes.failed), 'abort')
}

const reasonOf = (error: unknown, options: Options | undefined): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `Port ${options?.port} is taken; choose another: PORT=8081 npm start`
  if (code === 'EACCES') return `No permission: ${error instanceof Error ? error.message : ''}`
  if (error instanceof ApiError)
    return `ADMIN_LOGIN, ADMIN_PASSWORD: ${error.message === '' ? error.code : error.message}`
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
    const { app, hints } = await build(options)
    const stopped = untilStopped()
    await app.listen({ host: options.host, port: options.port }).catch(async (error: unknown) => {
      await app.close()
      throw error
    })
    // Out of descriptors: only that connection is lost.
    app.server.on(
      'error',
      guarded('run: listener', (error: Error) => app.log.error({ err: error }, 'a connection was not accepted')),
    )
    print(`Sightline is at ${addressOf(options, portOf(app))}`)
    for (const hint of hints) print(hint)
    if (!isLoopback(options.host) && options.trustProxy === undefined && options.tls === undefined) {
      print(
        'Warning: served to the network without HTTPS; passwords and video can be read on the way. ' +
          'Give it a certificate (TLS_CERT, TLS_KEY) or put a proxy before it (TRUST_PROXY).',
      )
    }
    print('Stop it with Ctrl-C.')
    await stopped
    // A plugin that hangs while stopping must not keep the process running.
    setTimeout(
      guarded('run: end', () => process.exit(1)),
      graceMs + 10_000,
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
