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

/** Starts a program; when `ends` comes, it is ended with all that it started. */
export function launch({ program, args, env = {}, stdio }: Start, ends: AsyncDisposableStack): ChildProcess {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio, detached: true })
  const exit = once(child, 'exit')
  exit.catch((error: unknown) => process.stderr.write(`${program}: ${String(error)}\n`))
  ends.defer(async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    process.kill(-child.pid, 'SIGKILL')
    await exit
  })
  return child
}

/** Waits until a program prints what is wanted; the rest of its output is discarded. */
export async function outputOf({ stdio, spawnfile }: ChildProcess, output: number, wanted: RegExp): Promise<string> {
  const stream = stdio[output]
  const readable = stream !== null && stream !== undefined && 'read' in stream ? (stream satisfies Readable) : null
  let found: string | undefined
  if (readable !== null) {
    for await (const line of createInterface(readable)) {
      found = wanted.exec(line)?.[1]
      if (found !== undefined) break
    }
    readable.resume()
  }
  if (found === undefined) throw new Error(`${spawnfile} ended before it could be driven`)
  return found
}
