import { compile } from '@fastify/proxy-addr'
import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { readBucketUrl } from './storage/bucket-url.ts'
import { archiveFolder } from './storage/folders.ts'
import { requireApart } from './storage/volume-list.ts'
import { readEnvironment } from './configuration/environment.ts'
import type { ConfigurationValues } from './configuration/values.ts'
import { addressListOf, type AddressList } from './http/address-list.ts'
import { hostNameOf } from './http/hosts.ts'
import { originUrlOf } from './http/origin.ts'
import { readTls, type Tls } from './http/tls.ts'
import { readPublicKey } from './license/license-text.ts'
import { parseJson } from './parse-json.ts'
import { parseDatabaseUrl } from './store/database-url.ts'
import { orUsageError, UsageError } from './usage-error.ts'

export const portNumberOf = (text: string): number => {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`"${text}" is not a port`, 'PORT')
  return port
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

export const logLevelOf = (text = 'warn'): string => {
  if (logLevels.includes(text)) return text
  throw new UsageError('LOG_LEVEL takes trace, debug, info, warn or error')
}

export const upstreamOf = (text: string): URL => {
  const url = originUrlOf(text)
  if (url === undefined) {
    throw new UsageError(`--upstream takes an address like https://host, not "${text}"`, 'UPSTREAM')
  }
  return url
}

/** The error doesn't repeat the text, which may hold a password. */
export const databaseUrlOf = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  if (!/^postgres(?:ql)?:\/\/\S*$/.test(text)) {
    throw new UsageError('DATABASE_URL takes an address like postgres://user:password@host:5432/name')
  }
  const url = parseDatabaseUrl(text)
  // What ends the host too early leaves no port, or the rest of the password behind it.
  if (url === null || url.hash !== '' || url.pathname.includes('@')) {
    throw new UsageError('DATABASE_URL: encode the special characters of the password, as # by %23 and / by %2F')
  }
  return text
}

export const defaultsOf = (env: NodeJS.ProcessEnv): ConfigurationValues => {
  return orUsageError(() => readEnvironment(env))
}

/** An empty variable counts as unset. */
export const nonEmpty = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : text

export const licenseKeyOf = (text: string | undefined): KeyObject | undefined => {
  try {
    return text === undefined ? undefined : readPublicKey(text)
  } catch {
    throw new UsageError('LICENSE_PUBLIC_KEY takes the 32 bytes of an Ed25519 public key in base64url')
  }
}

export const tlsOf = (cert: string | undefined, key: string | undefined): Tls | undefined => {
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) throw new UsageError('TLS_CERT and TLS_KEY must be set together')
  return orUsageError(() => readTls(cert, key))
}

/** The names of `ALLOWED_HOSTS`, and `HOST` if that is a name. */
export const hostsOf = (text: string | undefined, listenHost: string): readonly string[] => {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const hosts = names.map((name) => {
    const [, star = '', rest = ''] = /^(\*\.)?([\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*)$/u.exec(name) ?? []
    const host = hostNameOf(rest)
    if (host === undefined) {
      throw new UsageError(`ALLOWED_HOSTS takes names like cams.example.org or *.example.org, not "${name}"`)
    }
    return star + host
  })
  return isIP(listenHost) === 0 ? [...hosts, listenHost] : hosts
}

export const metricsAllowOf = (text: string | undefined): AddressList | undefined => {
  try {
    return text === undefined ? undefined : addressListOf(text)
  } catch (error) {
    throw new UsageError(`METRICS_ALLOW: ${error instanceof Error ? error.message : ''}`)
  }
}

/** Checked as fastify reads it, which would end the start with a stack. */
export const trustProxyOf = (text: string | undefined): string | undefined => {
  try {
    if (text !== undefined) compile(text.split(',').map((name) => name.trim()))
    return text
  } catch {
    throw new UsageError(
      `TRUST_PROXY takes addresses, networks like 10.0.0.0/8, loopback, linklocal and uniquelocal, not "${text}"`,
    )
  }
}

/** The folders of `ARCHIVE_DIRS`, separated by colons; by default the one in the data folder. */
export const archiveDirsOf = (text: string | undefined, dataDir: string): readonly string[] => {
  const own = archiveFolder(dataDir)
  if (text === undefined) return [own]
  const paths = text.split(':').map((path) => path.trim())
  if (paths.includes('')) throw new UsageError('ARCHIVE_DIRS takes folders separated by colons')
  const resolved = paths.map((path) => resolve(path))
  requireApart(resolved, own)
  return resolved
}

export const archiveUrlOf = (text: string | undefined): string | undefined => {
  if (text !== undefined) readBucketUrl(text)
  return text
}

export const dropsOldestOf = (text: string | undefined): boolean => {
  if (text === undefined || text === 'stop' || text === 'drop-oldest') return text === 'drop-oldest'
  throw new UsageError('ARCHIVE_SPOOL_FULL takes stop or drop-oldest')
}

export const isMotionIndexedOf = (text: string | undefined): boolean => {
  if (text === undefined || text === 'on' || text === 'off') return text !== 'off'
  throw new UsageError('MOTION_INDEX takes on or off')
}

export const tunnelCommandOf = (text: string | undefined): readonly string[] => {
  if (text === undefined) return []
  if (!text.trim().startsWith('[')) return text.trim().split(/\s+/)
  const command = parseJson(z.array(z.string()), text)
  if (command !== undefined) return command
  throw new UsageError('TUNNEL_COMMAND takes a program and its arguments, or a JSON list of them')
}
