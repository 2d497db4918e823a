import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

interface Start {
  readonly program: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly stdio: StdioOptions
}

/** Starts a program; disposing `cleanup` kills it with its child processes. */
export function launch({ program, args, env = {}, stdio }: Start, cleanup: AsyncDisposableStack): ChildProcess {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio, detached: true })
  const exit = once(child, 'exit')
  exit.catch((error: unknown) => process.stderr.write(`${program}: ${String(error)}\n`))
  cleanup.defer(async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    process.kill(-child.pid, 'SIGKILL')
    await exit
  })
  return child
}

/** The first group of the first line of an output that matches; later output is discarded. */
export async function firstMatch({ stdio, spawnfile }: ChildProcess, output: number, pattern: RegExp): Promise<string> {
  const stream = stdio[output]
  const readable = stream !== null && stream !== undefined && 'read' in stream ? (stream satisfies Readable) : null
  let match: string | undefined
  if (readable !== null) {
    for await (const line of createInterface(readable)) {
      match = pattern.exec(line)?.[1]
      if (match !== undefined) break
    }
    readable.resume()
  }
  if (match === undefined) throw new Error(`${spawnfile} ended before it was ready`)
  return match
}
