import { requirePrograms } from '../media/programs.ts'
import { configFileOf, readOptions } from '../options.ts'
import { exitCodes, parseCommand, dataFlags, print, type Command } from './command.ts'

export const checkConfig: Command = {
  summary: 'Says whether the configuration can be started, and which line cannot',
  usage: `Usage: sightline check-config [--config FILE] [--data-dir DIR]
  Reads what start would read: the file, the environment, certificates, licence key, and whether ffmpeg is there.
  Exit codes: 0 fine, 2 not.`,
  run: async (args, env) => {
    const { values } = parseCommand(args, dataFlags)
    const options = readOptions(args, env)
    if (options?.upstream === undefined) requirePrograms()
    print(`${configFileOf(values.config, env) ?? 'The environment'} is fine.`)
    return exitCodes.done
  },
}
