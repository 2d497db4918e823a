import { execFile, spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { collectBundle } from '../administration/command-bundle.ts'
import { UsageError, WrongArguments } from '../usage-error.ts'
import { exitCodes, parseCommand, dataFlags, print, stopSignal, type Command } from './command.ts'
import { dataOptionsOf } from './data-options.ts'

const maxLogCharacters = 2_000_000

const readSystemJournal = (): string => {
  const args = ['--unit=sightline', '--lines=5000', '--output=cat', '--no-pager']
  const { status, stdout, stderr, error } = spawnSync('journalctl', args, {
    encoding: 'utf8',
    timeout: 20_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  return status === 0 ? stdout : `No journal: ${error?.message ?? stderr}\n`
}

const readLog = async (file: string | undefined): Promise<string> => {
  if (file === undefined) return readSystemJournal()
  if (file === '-') return text(process.stdin)
  if (!existsSync(file)) throw new UsageError(`--log: there is no file ${file}`)
  return readFileSync(file, 'utf8')
}

/** The end of a log, from the beginning of a line. */
const tailOf = (log: string): string => {
  if (log.length <= maxLogCharacters) return log
  const tail = log.slice(-maxLogCharacters)
  return tail.slice(tail.indexOf('\n') + 1)
}

/** Resolves to false if it was stopped, with nothing written. */
const pack = async (
  files: Readonly<Record<string, string>>,
  name: string,
  target: string,
  signal: AbortSignal,
): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-support-'))
  const partial = `${target}.part`
  try {
    mkdirSync(join(folder, name))
    for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, name, file), content)
    closeSync(openSync(partial, 'w', 0o600))
    const packed = promisify(execFile)('tar', ['-czf', partial, '-C', folder, name], { signal })
    await packed.catch((error: unknown) => {
      if (signal.aborted) return
      throw new Error(`tar failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    })
    if (signal.aborted) return false
    renameSync(partial, target)
    return true
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(partial, { force: true })
  }
}

export const supportBundle: Command = {
  summary: 'Collects logs and configuration for technical support, without secrets',
  usage: `Usage: sightline support-bundle [FILE] [--log FILE] [--config FILE] [--data-dir DIR]
  Writes a .tar.gz, by default sightline-support-TIME.tar.gz in the current folder: versions, configuration, settings,
  the numbers of users, streams and recordings, health, and the end of the log, from the journal of sightline.service or
  from --log (-: the standard input). Passwords, tokens and the credentials of sources are replaced by ***; check the
  file all the same before you send it. The server may be running or stopped.
  Exit codes: 0 done, 1 failed, 2 wrong arguments or configuration, 130 stopped, and nothing written.`,
  run: async (args, env) => {
    const options = { ...dataFlags, log: { type: 'string' } } as const
    const { values, positionals } = parseCommand(args, options, { allowPositionals: true })
    const name = `sightline-support-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`
    const [file = `${name}.tar.gz`, more] = positionals
    if (more !== undefined) throw new WrongArguments('support-bundle takes one file to write')
    const target = resolve(file)
    if (existsSync(target)) throw new UsageError(`${target} already exists: choose another file`)
    const data = dataOptionsOf(values, env)
    const signal = stopSignal()
    const log = tailOf(await readLog(values.log))
    const files = await collectBundle({ ...data, log })
    if (!(await pack(files, name, target, signal))) {
      print('Stopped. Nothing was written.')
      return exitCodes.stopped
    }
    print(`The support bundle is ${target}. Check it before you send it.`)
    return exitCodes.done
  },
}
