import type { KeyObject } from 'node:crypto'
import { resolve } from 'node:path'
import { parseCommand } from './commands/command.ts'
import { readConfigFile, withConfigFile, type ConfigFile } from './configuration/config-file.ts'
import { isOn } from './configuration/environment.ts'
import { optionTable, type Option } from './configuration/option-table.ts'
import type { ConfigurationValues } from './configuration/values.ts'
import { clusterOptionsOf, type ClusterOptions } from './cluster/options.ts'
import type { AddressList } from './http/address-list.ts'
import { basePathOf } from './http/base-path.ts'
import { readConsoleConfiguration, type ConsoleConfiguration } from './http/console-configuration.ts'
import type { Tls } from './http/tls.ts'
import { mqttOf, type MqttOptions } from './mqtt/options.ts'
import { oidcOptionsOf, type OidcOptions } from './oidc/options.ts'
import {
  archiveDirsOf,
  archiveUrlOf,
  dropsOldestOf,
  isMotionIndexedOf,
  logLevelOf,
  databaseUrlOf,
  defaultsOf,
  nonEmpty,
  hostsOf,
  licenseKeyOf,
  metricsAllowOf,
  portNumberOf,
  tlsOf,
  trustProxyOf,
  tunnelCommandOf,
  upstreamOf,
} from './option-values.ts'
import type { StorageOptions } from './storage/storage-options.ts'
import { UsageError } from './usage-error.ts'

export type Options = StorageOptions & {
  host: string
  port: number
  dataDir: string
  /** A PostgreSQL database; undefined: SQLite, a file in the data folder. */
  databaseUrl: string | undefined
  /** One of several servers on that database; undefined: a server alone. */
  cluster: ClusterOptions | undefined
  distDir: string
  /** Serves only the console, and forwards `/v1` to this server. */
  upstream: URL | undefined
  demo: boolean
  administrator: { login: string; password: string } | undefined
  /** What is served as `/ui/config.json`. */
  configuration: ConsoleConfiguration
  trustProxy: string | undefined
  /** The path below which a proxy puts this server; '' where there is none. */
  basePath: string
  allowedHosts: readonly string[]
  /** Addresses that may read metrics without a token; undefined: none. */
  metricsAllow: AddressList | undefined
  tls: Tls | undefined
  logLevel: string
  tunnelCommand: readonly string[]
  mqtt: MqttOptions | undefined
  /** The provider of single sign-on. */
  oidc: OidcOptions | undefined
  /** Whether recordings get a motion index. */
  isMotionIndexed: boolean
  /** Public key of licences, 32 bytes in base64url; undefined: that of the demo licences. */
  licenseKey: KeyObject | undefined
  defaults: ConfigurationValues
}

const usageLine = ({ flag = '', name = '', about }: Pick<Option, 'flag' | 'about'> & { name?: string }): string =>
  `  ${flag.padEnd(17)} ${name.padEnd(24)}${about}\n`

export const usage = `Usage: sightline [start] [options], or npm start -- [options]
${[
  ...optionTable,
  { flag: '--config FILE', about: 'TOML or JSON with the names of the variables' },
  { name: 'SETTING_…', about: 'default of any setting, e.g. SETTING_MAIL_HOST' },
]
  .map(usageLine)
  .join(
    '',
  )}  Exit codes: 0 stopped, 1 failed, 2 wrong arguments or configuration, 65 this version can't use the database.
`

const flags = {
  port: { type: 'string' },
  host: { type: 'string' },
  'data-dir': { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  demo: { type: 'boolean' },
  upstream: { type: 'string' },
  config: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

const parse = (args: readonly string[]) => parseCommand(args, flags, { allowNegative: true }).values

/** Where a server keeps its data, and the defaults of its settings. */
export const dataOptionsIn = (
  dataDirFlag: string | undefined,
  env: NodeJS.ProcessEnv,
): StorageOptions & Pick<Options, 'dataDir' | 'databaseUrl' | 'defaults'> => {
  const dataDir = resolve(dataDirFlag ?? nonEmpty(env['DATA_DIR']) ?? 'data')
  return {
    dataDir,
    databaseUrl: databaseUrlOf(nonEmpty(env['DATABASE_URL'])),
    archiveDirs: archiveDirsOf(nonEmpty(env['ARCHIVE_DIRS']), dataDir),
    archiveUrl: archiveUrlOf(nonEmpty(env['ARCHIVE_URL'])),
    dropsOldest: dropsOldestOf(nonEmpty(env['ARCHIVE_SPOOL_FULL'])),
    defaults: defaultsOf(env),
  }
}

const optionsOf = (values: ReturnType<typeof parse>, env: NodeJS.ProcessEnv): Options => {
  const login = nonEmpty(env['ADMIN_LOGIN'])
  const password = nonEmpty(env['ADMIN_PASSWORD'])
  if ((login === undefined) !== (password === undefined)) {
    throw new UsageError('ADMIN_LOGIN and ADMIN_PASSWORD must be set together')
  }
  const upstream = values.upstream ?? nonEmpty(env['UPSTREAM'])
  const host = values.host ?? nonEmpty(env['HOST']) ?? '127.0.0.1'
  const data = dataOptionsIn(values['data-dir'], env)
  return {
    host,
    port: portNumberOf(values.port ?? nonEmpty(env['PORT']) ?? '8080'),
    ...data,
    cluster: clusterOptionsOf({
      ...data,
      nodeId: nonEmpty(env['NODE_ID']),
      url: nonEmpty(env['NODE_URL']),
      secret: nonEmpty(env['CLUSTER_SECRET']),
      caFile: nonEmpty(env['CLUSTER_CA']),
    }),
    distDir: resolve(import.meta.dirname, '../dist'),
    upstream: upstream === undefined ? undefined : upstreamOf(upstream),
    demo: values.demo ?? isOn('DEMO', nonEmpty(env['DEMO']) ?? '1'),
    administrator: login === undefined || password === undefined ? undefined : { login, password },
    configuration: readConsoleConfiguration(nonEmpty(env['CONSOLE_CONFIG'])),
    trustProxy: trustProxyOf(nonEmpty(env['TRUST_PROXY'])),
    basePath: basePathOf(nonEmpty(env['BASE_PATH'])),
    allowedHosts: hostsOf(nonEmpty(env['ALLOWED_HOSTS']), host),
    metricsAllow: metricsAllowOf(nonEmpty(env['METRICS_ALLOW'])),
    tls: tlsOf(values['tls-cert'] ?? nonEmpty(env['TLS_CERT']), values['tls-key'] ?? nonEmpty(env['TLS_KEY'])),
    logLevel: logLevelOf(nonEmpty(env['LOG_LEVEL'])),
    tunnelCommand: tunnelCommandOf(nonEmpty(env['TUNNEL_COMMAND'])),
    mqtt: mqttOf({
      MQTT_URL: nonEmpty(env['MQTT_URL']),
      MQTT_TOPIC: nonEmpty(env['MQTT_TOPIC']),
      MQTT_SECRET: nonEmpty(env['MQTT_SECRET']),
      MQTT_CA: nonEmpty(env['MQTT_CA']),
      MQTT_CERT: nonEmpty(env['MQTT_CERT']),
      MQTT_KEY: nonEmpty(env['MQTT_KEY']),
    }),
    oidc: oidcOptionsOf({
      OIDC_ISSUER: nonEmpty(env['OIDC_ISSUER']),
      OIDC_CLIENT_ID: nonEmpty(env['OIDC_CLIENT_ID']),
      OIDC_CLIENT_SECRET: nonEmpty(env['OIDC_CLIENT_SECRET']),
      OIDC_NAME: nonEmpty(env['OIDC_NAME']),
      OIDC_SCOPE: nonEmpty(env['OIDC_SCOPE']),
      OIDC_GROUPS_CLAIM: nonEmpty(env['OIDC_GROUPS_CLAIM']),
      OIDC_ADMIN_GROUPS: nonEmpty(env['OIDC_ADMIN_GROUPS']),
      OIDC_ALLOWED_GROUPS: nonEmpty(env['OIDC_ALLOWED_GROUPS']),
      OIDC_GROUP_RIGHTS: nonEmpty(env['OIDC_GROUP_RIGHTS']),
      OIDC_GROUPS_HOURS: nonEmpty(env['OIDC_GROUPS_HOURS']),
    }),
    isMotionIndexed: isMotionIndexedOf(nonEmpty(env['MOTION_INDEX'])),
    licenseKey: licenseKeyOf(nonEmpty(env['LICENSE_PUBLIC_KEY'])),
  }
}

/** The configuration file: of `--config`, otherwise of SIGHTLINE_CONFIG. */
export const configFileOf = (flag: string | undefined, env: NodeJS.ProcessEnv): string | undefined =>
  flag ?? nonEmpty(env['SIGHTLINE_CONFIG'])

/** Calls `read` with the variables of file and environment. A `UsageError` gets the line of the file at fault. */
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
    throw error instanceof UsageError ? config.withLine(error, env) : error
  }
}

/**
 * The options: of the command line, otherwise of the environment, otherwise of the configuration file, otherwise the
 * defaults. Undefined for `--help`.
 */
export const readOptions = (args: readonly string[], env: NodeJS.ProcessEnv): Options | undefined => {
  const values = parse(args)
  if (values.help === true) return undefined
  return withConfiguration(values.config, env, (variables) => optionsOf(values, variables))
}
