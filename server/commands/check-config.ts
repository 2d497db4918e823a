import { requirePrograms } from '../media/programs.ts'
import { configFileOf, readOptions } from '../options.ts'
import { exitCodes, parseCommand, dataFlags, print, type Command } from './command.ts'

export const checkConfig: Command = {
  summary: 'Checks the configuration, and names the line of an error',
  usage: `Usage: sightline check-config [--config FILE] [--data-dir DIR]
  Checks what start would read: the file, the environment, the certificate, the licence key and the console's
  configuration, and that ffmpeg is installed. Exit codes: 0 valid, 2 not valid.`,
  run: async (args, env) => {
    const { values } = parseCommand(args, dataFlags)
    const options = readOptions(args, env)
    if (options?.upstream === undefined) requirePrograms()
    print(`${configFileOf(values.config, env) ?? 'The environment'} is valid.`)
    return exitCodes.done
  },
}
