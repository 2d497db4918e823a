import process from 'node:process'
import { parseArgs, type ParseArgsConfig, type ParseArgsOptionsConfig } from 'node:util'
import { guarded } from '../guarded.ts'
import { orUsageError, WrongArguments } from '../usage-error.ts'

/**
 * After `usage` (wrong arguments or configuration) and `unusableDatabase` (EX_DATAERR of sysexits) another start would
 * fail again, so systemd starts none (deploy/).
 */
export const exitCodes = { done: 0, failed: 1, usage: 2, unusableDatabase: 65, stopped: 130 } as const

export type Command = {
  summary: string
  usage: string
  run: (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>
}

let isProgressShown = false

const writeLine = (stream: NodeJS.WriteStream, line: string): void => {
  stream.write(`${isProgressShown ? '\n' : ''}${line}\n`)
  isProgressShown = false
}

export const print = (line: string): void => writeLine(process.stdout, line)

/** Prints a warning with its details; of an error among them its message, which JSON would leave out. */
export const warn = (detail: object, message: string): void => {
  const text = JSON.stringify(detail, (_key, value: unknown) => (value instanceof Error ? value.message : value))
  writeLine(process.stderr, `${message}: ${text}`)
}

/** Parses the arguments of a command. Throws `WrongArguments`. */
export const parseCommand = <Config extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Config,
  more: Pick<ParseArgsConfig, 'allowPositionals' | 'allowNegative'> = {},
) => {
  return orUsageError(() => parseArgs({ ...more, args: [...args], options }), WrongArguments)
}

/** Where the data lies: options of every command that works on it. */
export const dataFlags = { config: { type: 'string' }, 'data-dir': { type: 'string' } } as const

/** Aborts with the first SIGINT (Ctrl-C) or SIGTERM; a second one ends the process with `code`. */
export const signalOfStop = (code: number): AbortSignal => {
  const stopping = new AbortController()
  const stop = guarded('command: signal', () => {
    if (stopping.signal.aborted) process.exit(code)
    stopping.abort()
  })
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return stopping.signal
}

/** That of a command, which says so at once, as its current step may take long. */
export const stopSignal = (): AbortSignal => {
  const signal = signalOfStop(exitCodes.stopped)
  const announce = (): void => {
    // Whoever reads the standard output, such as tee, has got Ctrl-C too and may be gone.
    process.stderr.write(`${isProgressShown ? '\n' : ''}Stopping; press Ctrl-C again to end at once.\n`)
    isProgressShown = false
  }
  signal.addEventListener('abort', guarded('command: stopping', announce))
  return signal
}

/** Shows every step in one line of a terminal, and prints the last one. */
export const showProgress = (line: string, isLast: boolean): void => {
  if (!process.stdout.isTTY) {
    if (isLast) print(line)
    return
  }
  // To the start of the line, and clear it.
  process.stdout.write(`\r\u001B[2K${line}${isLast ? '\n' : ''}`)
  isProgressShown = !isLast
}
