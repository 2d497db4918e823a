import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { archiveFolder } from './archive/folders.ts'
import { requireApart } from './archive/volume-list.ts'
import { readEnvironment } from './configuration/environment.ts'
import type { ConfigurationValues } from './configuration/values.ts'
import { addressListOf } from './http/address-list.ts'
import { hostNameOf } from './http/hosts.ts'
import { readTls, type Tls } from './http/tls.ts'
import { readPublicKey } from './licence/licence-text.ts'
import { UsageError } from './usage-error.ts'

export type Options = {
  host: string
  port: number
  dataDir: string
  /** A PostgreSQL database; undefined: a file in the data folder. */
  databaseUrl: string | undefined
  /** The folders that take new chunks. */
  archiveDirs: readonly string[]
  distDir: string
  /** Serve only the console, and proxy `/v1` there. */
  upstream: URL | undefined
  demo: boolean
  administrator: { login: string; password: string } | undefined
  configurationFile: string | undefined
  trustProxy: string | undefined
  allowedHosts: readonly string[]
  /** Addresses and networks that read metrics without a token, as given. */
  metricsAllow: string
  tls: Tls | undefined
  logLevel: string
  tunnelCommand: readonly string[]
  /** Public key of licences, 32 bytes in base64url; undefined: that of the demo licences. */
  licenceKey: KeyObject | undefined
  defaults: ConfigurationValues
}

export const usage = `Usage: npm start -- [options]
  --port N          PORT                          default 8080
  --host ADDRESS    HOST                          default 127.0.0.1
  --data-dir DIR    DATA_DIR                      default ./data
                    DATABASE_URL                  PostgreSQL instead of a file: postgres://user:password@host/name
                    ARCHIVE_DIRS                  folders of recordings, e.g. /mnt/a/archive:/mnt/b/archive
  --tls-cert FILE   TLS_CERT                      speak HTTPS: the certificate and its chain, PEM
  --tls-key FILE    TLS_KEY                       and its key
  --no-demo                                       no demo streams on the first start
  --upstream URL    UPSTREAM                      serve the console alone, before another server
                    ADMIN_LOGIN, ADMIN_PASSWORD   create the first administrator
                    CONSOLE_CONFIG                file that /ui/config.json answers
                    TRUST_PROXY                   addresses of the reverse proxy, e.g. loopback
                    ALLOWED_HOSTS                 names it is called by, e.g. cams.example.org, *.lan
                    METRICS_ALLOW                 addresses that read metrics, e.g. 10.0.0.0/8, ::1
                    LOG_LEVEL                     default warn
                    SMTP_URL                      mail server, e.g. smtp://user:password@host:587
                    TUNNEL_COMMAND                program that makes a tunnel to {port}
                    LICENSE_PUBLIC_KEY            the key of your licences (docs/server.md)
                    SETTING_…                     default of any setting (docs/server.md)
`

const portOf = (text: string): number => {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`"${text}" is no port`)
  return port
}

const upstreamOf = (text: string): URL => {
  const url = URL.parse(text)
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.username !== ''
  ) {
    throw new UsageError(`--upstream takes an address like https://host, not "${text}"`)
  }
  return url
}

/** Not shown where it is wrong: it has a password. */
export const databaseOf = (text: string | undefined): string | undefined => {
  if (text === undefined || /^postgres(?:ql)?:\/\/\S*$/.test(text)) return text
  throw new UsageError('DATABASE_URL takes an address like postgres://user:password@host:5432/name')
}

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowNegative: true,
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        'data-dir': { type: 'string' },
        'tls-cert': { type: 'string' },
        'tls-key': { type: 'string' },
        demo: { type: 'boolean' },
        upstream: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

const defaultsOf = (env: NodeJS.ProcessEnv): ConfigurationValues => {
  try {
    return readEnvironment(env)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

const given = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text)

const licenceKeyOf = (text: string | undefined): KeyObject | undefined => {
  try {
    return text === undefined ? undefined : readPublicKey(text)
  } catch {
    throw new UsageError('LICENSE_PUBLIC_KEY takes the 32 bytes of an Ed25519 public key in base64url')
  }
}

const tlsOf = (cert: string | undefined, key: string | undefined): Tls | undefined => {
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) throw new UsageError('TLS_CERT and TLS_KEY go together')
  try {
    return readTls(cert, key)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

const hostsOf = (text: string | undefined, listening: string): readonly string[] => {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const known = names.map((name) => {
    const [, star = '', rest = ''] = /^(\*\.)?([\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*)$/u.exec(name) ?? []
    const host = hostNameOf(rest)
    if (host === undefined) {
      throw new UsageError(`ALLOWED_HOSTS takes names like cams.example.org or *.example.org, not "${name}"`)
    }
    return star + host
  })
  return isIP(listening) === 0 ? [...known, listening] : known
}

const metricsAllowOf = (text = ''): string => {
  try {
    addressListOf(text)
    return text
  } catch (error) {
    throw new UsageError(`METRICS_ALLOW: ${error instanceof Error ? error.message : ''}`)
  }
}

/** The folders of `ARCHIVE_DIRS`, separated by colons; by default that of the data folder. */
export const archiveDirsOf = (text: string | undefined, dataDir: string): readonly string[] => {
  const own = archiveFolder(dataDir)
  if (text === undefined) return [own]
  const paths = text.split(':').map((path) => path.trim())
  if (paths.includes('')) throw new UsageError('ARCHIVE_DIRS takes folders separated by colons')
  const resolved = paths.map((path) => resolve(path))
  requireApart(resolved, own)
  return resolved
}

const commandOf = (text: string | undefined): readonly string[] => {
  if (text === undefined) return []
  if (!text.trim().startsWith('[')) return text.trim().split(/\s+/)
  try {
    return z.parse(z.array(z.string()), JSON.parse(text))
  } catch {
    throw new UsageError('TUNNEL_COMMAND takes a program and its arguments, or a JSON list of them')
  }
}

/** Options from the command line, else the environment, else the defaults. Undefined for `--help`. */
export const readOptions = (args: readonly string[], env: NodeJS.ProcessEnv): Options | undefined => {
  const values = parse(args)
  if (values.help === true) return undefined
  const login = given(env['ADMIN_LOGIN'])
  const password = given(env['ADMIN_PASSWORD'])
  if ((login === undefined) !== (password === undefined)) {
    throw new UsageError('ADMIN_LOGIN and ADMIN_PASSWORD go together')
  }
  const dataDir = resolve(values['data-dir'] ?? given(env['DATA_DIR']) ?? 'data')
  const upstream = values.upstream ?? given(env['UPSTREAM'])
  const host = values.host ?? given(env['HOST']) ?? '127.0.0.1'
  return {
    host,
    port: portOf(values.port ?? given(env['PORT']) ?? '8080'),
    dataDir,
    databaseUrl: databaseOf(given(env['DATABASE_URL'])),
    archiveDirs: archiveDirsOf(given(env['ARCHIVE_DIRS']), dataDir),
    distDir: resolve(import.meta.dirname, '../dist'),
    upstream: upstream === undefined ? undefined : upstreamOf(upstream),
    demo: values.demo ?? true,
    administrator: login === undefined || password === undefined ? undefined : { login, password },
    configurationFile: given(env['CONSOLE_CONFIG']),
    trustProxy: given(env['TRUST_PROXY']),
    allowedHosts: hostsOf(given(env['ALLOWED_HOSTS']), host),
    metricsAllow: metricsAllowOf(given(env['METRICS_ALLOW'])),
    tls: tlsOf(values['tls-cert'] ?? given(env['TLS_CERT']), values['tls-key'] ?? given(env['TLS_KEY'])),
    logLevel: given(env['LOG_LEVEL']) ?? 'warn',
    tunnelCommand: commandOf(given(env['TUNNEL_COMMAND'])),
    licenceKey: licenceKeyOf(given(env['LICENSE_PUBLIC_KEY'])),
    defaults: defaultsOf(env),
  }
}
