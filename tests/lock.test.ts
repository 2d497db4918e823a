import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.optional(z.string()), optionalDependencies: z.optional(z.record(z.string(), z.string())) }),
  ),
})

test('the lock file has the packages of every machine, or npm ci refuses it', () => {
  const { packages } = z.parse(Lock, JSON.parse(readFileSync('package-lock.json', 'utf8')))
  const resolve = (from: string, name: string): string | undefined => {
    const found = packages[`${from === '' ? '' : `${from}/`}node_modules/${name}`]
    if (found !== undefined || from === '') return found?.version
    return resolve(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name)
  }
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, version]) =>
        /^\d/.test(version) ? resolve(path, name) !== version : resolve(path, name) === undefined,
      )
      .map(([name, version]) => `${path} needs ${name} ${version}`),
  )
  expect(missing).toEqual([])
})
