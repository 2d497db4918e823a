import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../usage-error.ts'
import type { ConsoleConfiguration } from './console-configuration.ts'
import { perBuild } from './per-build.ts'

const basePathPattern = /^(?:\/[A-Za-z0-9_-]+)+$/

/** The path below which a proxy puts this server, such as `/cameras`; '' where there is none. Throws `UsageError`. */
export const basePathOf = (text = '/'): string => {
  const basePath = text.replace(/\/$/, '')
  if (basePath === '' || basePathPattern.test(basePath)) return basePath
  throw new UsageError(`BASE_PATH takes a path like /cameras, of letters, digits, - and _, not "${text}"`)
}

/** A request below the base path gets the route of what follows. A proxy may also leave the base path out itself. */
export const withoutBasePath = (url: string, basePath: string): string =>
  basePath !== '' && url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : url

/** The configuration of the console, which calls this server below the base path unless it says otherwise. */
export const configurationBelow = (basePath: string, configuration: ConsoleConfiguration): ConsoleConfiguration =>
  basePath === '' ? configuration : { apiBaseUrl: basePath, ...configuration }

/**
 * A document of the console, as built, for the base path: what it links to, and the path from which the console counts
 * its own (src/api/console-path.ts).
 */
export const documentBelow = (basePath: string, html: string): string =>
  basePath === ''
    ? html
    : html
        .replaceAll(/(?<= (?:src|href)=")(?=\/ui\/)/g, basePath)
        .replace('<html ', `<html data-base-path="${basePath}" `)

/** Reads `index.html` for the base path; undefined while the console isn't built. Read again after each build. */
export const createIndex = (distDir: string, basePath: string): (() => string | undefined) => {
  const file = join(distDir, 'index.html')
  return perBuild(file, () => documentBelow(basePath, readFileSync(file, 'utf8')))
}
