import type { KeyObject } from 'node:crypto'
import { resolve } from 'node:path'
import { parseCommand } from './commands/command.ts'
import { readConfigFile, withConfigFile, type ConfigFile } from './configuration/config-file.ts'
import { optionTable, type Option } from './configuration/option-table.ts'
import type { ConfigurationValues } from './configuration/values.ts'
import type { AddressList } from './http/address-list.ts'
import type { Tls } from './http/tls.ts'
import { mqttOf, type MqttOptions } from './mqtt/options.ts'
import {
  archiveDirsOf,
  archiveUrlOf,
  dropsSpoolOf,
  commandOf,
  databaseOf,
  defaultsOf,
  given,
  hostsOf,
  licenceKeyOf,
  metricsAllowOf,
  portOf,
  tlsOf,
  upstreamOf,
} from './option-values.ts'
import type { ArchiveLocations } from './storage/archive-locations.ts'
import { UsageError } from './usage-error.ts'

export type Options = ArchiveLocations & {
  host: string
  port: number
  dataDir: string
  /** A PostgreSQL database; undefined: a file in the data folder. */
  databaseUrl: string | undefined
  distDir: string
  /** Serve only the console, and proxy `/v1` there. */
  upstream: URL | undefined
  demo: boolean
  administrator: { login: string; password: string } | undefined
  configurationFile: string | undefined
  trustProxy: string | undefined
  allowedHosts: readonly string[]
  /** Who reads metrics without a token; undefined: nobody. */
  metricsAllow: AddressList | undefined
  tls: Tls | undefined
  logLevel: string
  tunnelCommand: readonly string[]
  mqtt: MqttOptions | undefined
  /** Public key of licences, 32 bytes in base64url; undefined: that of the demo licences. */
  licenceKey: KeyObject | undefined
  defaults: ConfigurationValues
}

const usageLine = ({ flag = '', name = '', about }: Pick<Option, 'flag' | 'about'> & { name?: string }): string =>
  `  ${flag.padEnd(17)} ${name.padEnd(24)}${about}\n`

export const usage = `Usage: sightline [start] [options], or npm start -- [options]
${[
  ...optionTable,
  { flag: '--config FILE', about: 'TOML or JSON with the names of the variables' },
  { name: 'SETTING_…', about: 'default of any setting (docs/server.md)' },
]
  .map(usageLine)
  .join('')}`

const flags = {
  port: { type: 'string' },
  host: { type: 'string' },
  'data-dir': { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  demo: { type: 'boolean' },
  upstream: { type: 'string' },
  config: { type: 'string' },
  help: { type: 'boolean' },
} as const

const isOff = (text: string | undefined): boolean => text !== undefined && /^(?:0|false|no)$/i.test(text)

const parse = (args: readonly string[]) => parseCommand(args, flags, { allowNegative: true }).values

/** Where the data of a server lies, and the settings that it begins with. */
export const dataOptionsIn = (
  dataDirFlag: string | undefined,
  env: NodeJS.ProcessEnv,
): ArchiveLocations & Pick<Options, 'dataDir' | 'databaseUrl' | 'defaults'> => {
  const dataDir = resolve(dataDirFlag ?? given(env['DATA_DIR']) ?? 'data')
  return {
    dataDir,
    databaseUrl: databaseOf(given(env['DATABASE_URL'])),
    archiveDirs: archiveDirsOf(given(env['ARCHIVE_DIRS']), dataDir),
    archiveUrl: archiveUrlOf(given(env['ARCHIVE_URL'])),
    dropsSpool: dropsSpoolOf(given(env['ARCHIVE_SPOOL_FULL'])),
    defaults: defaultsOf(env),
  }
}

const optionsOf = (values: ReturnType<typeof parse>, env: NodeJS.ProcessEnv): Options => {
  const login = given(env['ADMIN_LOGIN'])
  const password = given(env['ADMIN_PASSWORD'])
  if ((login === undefined) !== (password === undefined)) {
    throw new UsageError('ADMIN_LOGIN and ADMIN_PASSWORD go together')
  }
  const upstream = values.upstream ?? given(env['UPSTREAM'])
  const host = values.host ?? given(env['HOST']) ?? '127.0.0.1'
  return {
    host,
    port: portOf(values.port ?? given(env['PORT']) ?? '8080'),
    ...dataOptionsIn(values['data-dir'], env),
    distDir: resolve(import.meta.dirname, '../dist'),
    upstream: upstream === undefined ? undefined : upstreamOf(upstream),
    demo: values.demo ?? !isOff(given(env['DEMO'])),
    administrator: login === undefined || password === undefined ? undefined : { login, password },
    configurationFile: given(env['CONSOLE_CONFIG']),
    trustProxy: given(env['TRUST_PROXY']),
    allowedHosts: hostsOf(given(env['ALLOWED_HOSTS']), host),
    metricsAllow: metricsAllowOf(given(env['METRICS_ALLOW'])),
    tls: tlsOf(values['tls-cert'] ?? given(env['TLS_CERT']), values['tls-key'] ?? given(env['TLS_KEY'])),
    logLevel: given(env['LOG_LEVEL']) ?? 'warn',
    tunnelCommand: commandOf(given(env['TUNNEL_COMMAND'])),
    mqtt: mqttOf(given(env['MQTT_URL']), given(env['MQTT_TOPIC'])),
    licenceKey: licenceKeyOf(given(env['LICENSE_PUBLIC_KEY'])),
  }
}

/** The file of `--config`, or else of SIGHTLINE_CONFIG. */
export const configFileOf = (flag: string | undefined, env: NodeJS.ProcessEnv): string | undefined =>
  flag ?? given(env['SIGHTLINE_CONFIG'])

/** Runs `read` with what file and environment give. Its errors have the line of the file that they are about. */
export const withConfiguration = <T>(
  flag: string | undefined,
  env: NodeJS.ProcessEnv,
  read: (env: NodeJS.ProcessEnv) => T,
): T => {
  const file = configFileOf(flag, env)
  const config: ConfigFile | undefined = file === undefined ? undefined : readConfigFile(file)
  if (config === undefined) return read(env)
  try {
    return read(withConfigFile(env, config))
  } catch (error) {
    throw error instanceof UsageError ? config.located(error, env) : error
  }
}

/**
 * Options from the command line, else the environment, else the file of `--config`, else the defaults. Undefined for
 * `--help`.
 */
export const readOptions = (args: readonly string[], env: NodeJS.ProcessEnv): Options | undefined => {
  const values = parse(args)
  if (values.help === true) return undefined
  return withConfiguration(values.config, env, (whole) => optionsOf(values, whole))
}
