import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'

/**
 * The edges that real actors took in the machines' tests: one file for each machine, one line for each edge. Every run
 * of vitest starts without them; several walks of a machine add up.
 */
const folder = 'test-results/edges'

export function keepEdges(id: string, edges: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  appendFileSync(`${folder}/${id}.txt`, edges.map((edge) => `${edge}\n`).join(''))
}

/** Null if no walk of the machine was run. */
export function keptEdges(id: string): ReadonlySet<string> | null {
  const file = `${folder}/${id}.txt`
  return existsSync(file) ? new Set(readFileSync(file, 'utf8').split('\n')) : null
}

/** Vitest calls this before the first test (`globalSetup` of vite.config.ts). */
export function setup(): void {
  rmSync(folder, { recursive: true, force: true })
}
