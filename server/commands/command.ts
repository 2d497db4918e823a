import process from 'node:process'
import { parseArgs, type ParseArgsConfig, type ParseArgsOptionsConfig } from 'node:util'
import { guarded } from '../guarded.ts'
import { orUsageError } from '../usage-error.ts'

/** `usage`: wrong arguments or configuration, after which systemd doesn't restart the server (deploy/). */
export const exitCodes = { done: 0, failed: 1, usage: 2, stopped: 130 } as const

export type Command = {
  summary: string
  usage: string
  run: (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>
}

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Parses the arguments of a command. Throws `UsageError`. */
export const parseCommand = <Config extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Config,
  more: Pick<ParseArgsConfig, 'allowPositionals' | 'allowNegative'> = {},
) => {
  return orUsageError(() => parseArgs({ ...more, args: [...args], options }))
}

/** Where the data lies: options of every command that works on it. */
export const dataFlags = { config: { type: 'string' }, 'data-dir': { type: 'string' } } as const

/** Aborts with the first SIGINT (Ctrl-C) or SIGTERM; a second one ends the process with `code`. */
export const stopSignal = (code: number = exitCodes.stopped): AbortSignal => {
  const stopping = new AbortController()
  const stop = guarded('command: signal', () => {
    if (stopping.signal.aborted) process.exit(code)
    stopping.abort()
  })
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return stopping.signal
}

/** Prints every step on a terminal, otherwise only the last one. */
export const showProgress = (line: string, isLast: boolean): void => {
  if (process.stdout.isTTY || isLast) print(line)
}
