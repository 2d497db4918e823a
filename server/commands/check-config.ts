import { requireAdministrator } from '../administration/administrator-options.ts'
import { requirePrograms } from '../media/programs.ts'
import { configFileOf, readOptions, withConfiguration, type Options } from '../options.ts'
import { archiveFolder } from '../storage/folders.ts'
import { requireFolders } from '../storage/volume-list.ts'
import { exitCodes, parseCommand, dataFlags, print, type Command } from './command.ts'

/** What a start refuses later than the options are read. Throws `UsageError`. */
const requireStartable = async ({ dataDir, archiveDirs, administrator, defaults }: Options): Promise<void> => {
  requirePrograms()
  if (administrator !== undefined) requireAdministrator(administrator, defaults.application.title)
  await requireFolders(archiveFolder(dataDir), archiveDirs)
}

export const checkConfig: Command = {
  summary: 'Checks the configuration, and names the line of an error',
  usage: `Usage: sightline check-config [--config FILE] [--data-dir DIR]
  Checks what start would read: the file, the environment, the certificate, the licence key and the console's
  configuration, that ffmpeg and the folders of ARCHIVE_DIRS are there, and that the first administrator can be created.
  It asks neither the database nor the bucket: also a disk that the archive knows must be mounted, and ADMIN_PASSWORD
  is checked if there is an administrator already. Exit codes: 0 valid, 2 not valid.`,
  run: async (args, env) => {
    const { values } = parseCommand(args, dataFlags)
    const options = readOptions(args, env)
    if (options !== undefined && options.upstream === undefined) {
      await requireStartable(options).catch((error: unknown) =>
        // Thrown again by a reader of the configuration, it gets its line.
        withConfiguration(values.config, env, () => {
          throw error
        }),
      )
    }
    print(`${configFileOf(values.config, env) ?? 'The environment'} is valid.`)
    return exitCodes.done
  },
}
