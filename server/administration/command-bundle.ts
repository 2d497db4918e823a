import { once } from 'node:events'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { arch, platform, release } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { json } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { createConfiguration, masked } from '../configuration/configuration.ts'
import { variableNames } from '../configuration/environment.ts'
import type { ConfigurationValues } from '../configuration/values.ts'
import { decoded } from '../media/source.ts'
import { nonEmpty, portNumberOf, tunnelCommandOf } from '../option-values.ts'
import { parseJson } from '../parse-json.ts'
import { openDatabaseOf } from '../store/open.ts'
import { databaseName, requireDatabase } from '../store/secure-folder.ts'
import type { Store } from '../store/store.ts'
import { version } from '../version.ts'
import { diskOf } from './host-load.ts'
import { scrub, secretsOf } from './scrub.ts'

const answerTimeoutMs = 5000
const countedTables = [
  'users',
  'sessions',
  'api_tokens',
  'streams',
  'recordings',
  'chunks',
  'annotations',
  'audit_logs',
]

const CountRow = z.object({ count: z.number() })
const TextRow = z.object({ text: z.string() })
const Onvif = z.object({ url: z.string() })

/** A part, or why it failed: bundles are made when something is wrong. */
const orFailure = async <T>(work: () => Promise<T>): Promise<T | { failed: string }> =>
  work().catch((error: unknown) => ({ failed: error instanceof Error ? error.message : String(error) }))

type BundleInput = {
  /** The variables of the environment and of the configuration file. */
  variables: NodeJS.ProcessEnv
  dataDir: string
  databaseUrl: string | undefined
  defaults: ConfigurationValues
  /** The end of the server's log. */
  log: string
}

/** Asks the running server. Its certificate isn't checked, as it may not be valid for this address. */
const askServer = async (variables: NodeJS.ProcessEnv, path: string): Promise<unknown> => {
  const isTls = nonEmpty(variables['TLS_CERT']) !== undefined
  const listenHost = nonEmpty(variables['HOST']) ?? '127.0.0.1'
  const host = ['0.0.0.0', '::'].includes(listenHost) ? '127.0.0.1' : listenHost
  const address = { host, port: portNumberOf(nonEmpty(variables['PORT']) ?? '8080'), path, rejectUnauthorized: false }
  const request = (isTls ? overHttps : overHttp)({ ...address, signal: AbortSignal.timeout(answerTimeoutMs) })
  request.end()
  const [answer] = await once(request, 'response')
  return json(answer)
}

/** The variables that are set; of the tunnel's command only the program, as its arguments may hold a password. */
const shownOptions = (variables: NodeJS.ProcessEnv): Record<string, string> => {
  const shown = variableNames.flatMap((name) => {
    const value = nonEmpty(variables[name])
    return value === undefined ? [] : [[name, value] as const]
  })
  const [program] = tunnelCommandOf(nonEmpty(variables['TUNNEL_COMMAND']))
  return { ...Object.fromEntries(shown), ...(program === undefined ? {} : { TUNNEL_COMMAND: program }) }
}

/** The password of a URL, as written and decoded; also one that ends the host, as its `/`, `?` or `#` isn't encoded. */
const passwordsIn = (url = ''): string[] => {
  const from = url.indexOf(':', url.indexOf('://') + 1) + 1
  const password = URL.parse(url)?.password || url.slice(from, Math.max(from, url.lastIndexOf('@')))
  return [password, decoded(password)]
}

const secretOptions = (variables: NodeJS.ProcessEnv): string[] => [
  variables['ADMIN_PASSWORD'] ?? '',
  variables['OIDC_CLIENT_SECRET'] ?? '',
  variables['CLUSTER_SECRET'] ?? '',
  variables['MQTT_SECRET'] ?? '',
  ...['DATABASE_URL', 'SMTP_URL', 'MQTT_URL'].flatMap((name) => passwordsIn(variables[name])),
  ...tunnelCommandOf(nonEmpty(variables['TUNNEL_COMMAND'])).slice(1),
]

const countsOf = async (store: Store): Promise<Record<string, number | null>> => {
  const counts = await Promise.all(
    countedTables.map(async (table) => {
      // A newer version adds tables at its first start.
      const row = await store.get(CountRow, `SELECT count(*) AS count FROM ${table}`).catch(() => undefined)
      return [table, row?.count ?? null] as const
    }),
  )
  return Object.fromEntries(counts)
}

/** The URLs of cameras, which hold passwords. */
const sourcesOf = async (store: Store): Promise<string[]> => {
  const textsIn = async (column: string): Promise<string[]> => {
    const sql = `SELECT ${column} AS text FROM streams WHERE ${column} IS NOT NULL`
    // A newer version adds columns at its first start.
    const rows = await store.all(TextRow, sql).catch(() => [])
    return rows.map(({ text }) => text)
  }
  const onvif = await textsIn('onvif')
  return [
    ...(await textsIn('source')),
    ...(await textsIn('substream_source')),
    ...onvif.flatMap((text) => parseJson(Onvif, text)?.url ?? []),
  ]
}

const readDatabase = async ({ dataDir, databaseUrl, defaults }: BundleInput) => {
  if (databaseUrl === undefined) requireDatabase(dataDir)
  const store = await openDatabaseOf(join(dataDir, databaseName), { databaseUrl })
  try {
    const values = (await createConfiguration(store, defaults, Date.now)).values()
    return { values, counts: await countsOf(store), sources: await sourcesOf(store) }
  } finally {
    await store.close()
  }
}

/**
 * The files of the command's support bundle by name, without secrets. The server may be running or stopped. The console
 * saves another bundle (support-bundle.ts).
 */
export const collectBundle = async (given: BundleInput): Promise<Readonly<Record<string, string>>> => {
  const { variables, dataDir, log } = given
  const database = await orFailure(() => readDatabase(given))
  const [values, sources] = 'failed' in database ? [given.defaults, []] : [database.values, database.sources]
  const secrets = secretsOf(values, sources, secretOptions(variables))
  const parts = {
    versions: { sightline: version, node: process.version, system: `${platform()} ${release()} ${arch()}` },
    configuration: shownOptions(variables),
    settings: 'failed' in database ? database : masked(values),
    counts: 'failed' in database ? database : database.counts,
    disk: await orFailure(() => diskOf(dataDir)),
    health: await orFailure(() => askServer(variables, '/v1/system/health')),
    ready: await orFailure(() => askServer(variables, '/v1/system/ready')),
  }
  const texts = Object.entries(parts).map(
    ([name, part]) => [`${name}.json`, `${JSON.stringify(scrub(part, secrets), null, 2)}\n`] as const,
  )
  return { ...Object.fromEntries(texts), 'log.txt': String(scrub(log, secrets)) }
}
