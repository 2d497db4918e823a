import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'

/**
 * The edges that the machines' tests saw real actors take: a file a machine, a line an edge. Every run of vitest starts
 * with none, so that no walk of yesterday counts; several walks of one machine add up.
 */
const folder = 'test-results/edges'

export function keepEdges(id: string, edges: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  appendFileSync(`${folder}/${id}.txt`, edges.map((edge) => `${edge}\n`).join(''))
}

/** Null where no walk of the machine was run. */
export function keptEdges(id: string): ReadonlySet<string> | null {
  const file = `${folder}/${id}.txt`
  return existsSync(file) ? new Set(readFileSync(file, 'utf8').split('\n')) : null
}

/** Vitest calls it before the first test (`globalSetup` of vite.config.ts). */
export function setup(): void {
  rmSync(folder, { recursive: true, force: true })
}
