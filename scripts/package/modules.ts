import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'

const Names = z.optional(z.record(z.string(), z.string()))
const Locked = z.object({
  version: z.optional(z.string()),
  license: z.optional(z.string()),
  dev: z.optional(z.boolean()),
  optional: z.optional(z.boolean()),
  dependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
})
const Lock = z.object({ packages: z.record(z.string(), Locked) })

export type Locked = z.output<typeof Locked>

/** The packages of the lock file by their paths, such as `node_modules/fastify`. */
export const readLock = (root: string): Readonly<Record<string, Locked>> =>
  z.parse(Lock, JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))).packages

/** Finds a package as Node does: in the folder of the importing package, or in one above. */
const find = (packages: Readonly<Record<string, Locked>>, from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = folder === '.' || folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[path] !== undefined) return path
    if (folder === '.' || folder === '') return undefined
  }
}

/** The paths of the packages `names` and of their run-time dependencies. */
export const closureOf = (packages: Readonly<Record<string, Locked>>, names: readonly string[]): string[] => {
  const found = new Set<string>()
  const add = (from: string, name: string, isNeeded: boolean): void => {
    const path = find(packages, from, name)
    if (path === undefined && isNeeded) throw new Error(`${from} needs ${name}, which the lock file lacks`)
    if (path === undefined || found.has(path)) return
    const { dev, dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[path] ?? {}
    if (dev === true && !isNeeded) return
    found.add(path)
    for (const each of Object.keys(dependencies)) add(path, each, !(each in optionalDependencies))
    for (const each of Object.keys({ ...optionalDependencies, ...peerDependencies })) add(path, each, false)
  }
  for (const name of names) add('', name, true)
  return [...found].toSorted()
}

/** The packages that a TypeScript source imports, without type imports. */
export const importsOf = (source: string): string[] =>
  [...source.matchAll(/^(?:import (?!type )|export |\} )[^\n]*from '([^.'][^']*)'/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('node:'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    )
