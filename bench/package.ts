import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import type { Figure } from './figures.ts'

const Measured = z.array(z.object({ name: z.string(), value: z.number(), unit: z.string() }))

/**
 * `package`: the sizes of the package, and the seconds until it is installed in a clean Debian and shows the first
 * picture, as its test measures them.
 */
export async function packaging(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  const file = join(folder, 'figures.json')
  try {
    const { status } = spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'scripts/package-tests.ts', '--figures', file],
      { cwd: resolve(import.meta.dirname, '..'), stdio: 'inherit' },
    )
    if (status !== 0 || !existsSync(file)) throw new Error('the package was not tested')
    return z
      .parse(Measured, JSON.parse(readFileSync(file, 'utf8')))
      .map(({ name, value, unit }) => ({ name, values: [value], unit, goal: {} }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
