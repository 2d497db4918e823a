import process from 'node:process'
import { usage as startUsage } from '../options.ts'
import { StoreAway, UnusableDatabase } from '../store/connection.ts'
import { UsageError, WrongArguments } from '../usage-error.ts'
import { version } from '../version.ts'
import { backup } from './backup.ts'
import { checkConfig } from './check-config.ts'
import { exitCodes, print, type Command } from './command.ts'
import { migrate } from './migrate.ts'
import { repair } from './repair.ts'
import { restore } from './restore.ts'
import { supportBundle } from './support-bundle.ts'
import { user } from './user.ts'

/** Imported dynamically: the other commands start faster without the server. */
const start: Command['run'] = async (args, env) => {
  const { main } = await import('../start.ts')
  return main(args, env)
}

export const commands: Readonly<Record<string, Command>> = {
  start: { summary: 'Starts the server; also without a command', usage: startUsage, run: start },
  'check-config': checkConfig,
  backup,
  restore,
  repair,
  user,
  'support-bundle': supportBundle,
  migrate,
}

const overview = (): string => {
  const names = Object.keys(commands)
  const width = Math.max(...names.map((name) => name.length))
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: sightline [command] [options]\n${lines.join('\n')}\n\n${startUsage}`
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h'

const fail = (message: string, code: number): number => {
  process.stderr.write(`${message}\n`)
  return code
}

/** The stack only helps with an error of the program itself. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const isOutside = error instanceof UnusableDatabase || error instanceof StoreAway || 'syscall' in error
  return isOutside ? error.message : (error.stack ?? error.message)
}

const runCommand = async (name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> => {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined)
    return fail(`There is no command ${name}.\n"sightline --help" lists the commands.`, exitCodes.usage)
  if (args.some(isHelp)) {
    print(command.usage)
    return exitCodes.done
  }
  try {
    return await command.run(args, env)
  } catch (error) {
    if (error instanceof WrongArguments)
      return fail(`${error.message}\n"sightline ${name} --help" says how it is used.`, exitCodes.usage)
    if (error instanceof UsageError) return fail(error.message, exitCodes.usage)
    return fail(reasonOf(error), exitCodes.failed)
  }
}

/** Arguments without a command start the server. */
export const main = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> => {
  const [first = '', ...rest] = args
  if (first === '--version') {
    print(`sightline ${version}`)
    return exitCodes.done
  }
  if (isHelp(first) || first === 'help') {
    const [name] = rest
    if (name !== undefined) return runCommand(name, ['--help'], env)
    print(overview())
    return exitCodes.done
  }
  return first === '' || first.startsWith('-') ? start(args, env) : runCommand(first, rest, env)
}
