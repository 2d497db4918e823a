import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { readServerKey } from '../access/shares.ts'
import { requireAdministrator } from '../administration/administrator-options.ts'
import { readSigningKey } from '../exports/signing-key.ts'
import { requirePrograms } from '../media/programs.ts'
import { configFileOf, readOptions, withConfiguration, type Options } from '../options.ts'
import { archiveFolder, codeOf } from '../storage/folders.ts'
import { requireFolders } from '../storage/volume-list.ts'
import { keyName, requireDataFolder, signingKeyName } from '../store/secure-folder.ts'
import { UsageError } from '../usage-error.ts'
import { exitCodes, parseCommand, dataFlags, print, type Command } from './command.ts'

/** Listens for a moment. A port in use is most likely that of the running server. */
const requireListening = async ({ host, port }: Pick<Options, 'host' | 'port'>): Promise<void> => {
  const server = createServer()
  try {
    await once(server.listen({ host, port }), 'listening')
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EADDRINUSE') return
    if (code === 'EACCES') throw new UsageError(`PORT: this user may not listen on port ${port}`, 'PORT')
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`HOST: this machine can't listen on ${host} (${reason})`, 'HOST')
  } finally {
    server.close()
  }
}

/** The first start makes the keys; a damaged one stops it. */
const requireKeys = (dataDir: string): void => {
  if (existsSync(join(dataDir, keyName))) readServerKey(dataDir)
  if (existsSync(join(dataDir, signingKeyName))) readSigningKey(dataDir)
}

/** What a start refuses later than the options are read. Throws `UsageError`. */
const requireStartable = async (options: Options): Promise<void> => {
  const { dataDir, archiveDirs, administrator, defaults } = options
  if (options.upstream === undefined) {
    requirePrograms()
    if (administrator !== undefined) requireAdministrator(administrator, defaults.application.title)
    requireDataFolder(dataDir)
    requireKeys(dataDir)
    await requireFolders(archiveFolder(dataDir), archiveDirs)
  }
  await requireListening(options)
}

export const checkConfig: Command = {
  summary: 'Checks the configuration, and names the line of an error',
  usage: `Usage: sightline check-config [--config FILE] [--data-dir DIR]
  Checks what start would read: the file, the environment, the certificate, the licence key and the console's
  configuration, that ffmpeg is there, that the data folder, its keys and the folders of ARCHIVE_DIRS can be used, that
  this machine has the address of HOST, and that the first administrator can be created. It asks neither the database
  nor the bucket: also a disk that the archive knows must be mounted, and ADMIN_PASSWORD is checked if there is an
  administrator already. A port in use isn't an error, as the server may be running.
  Exit codes: 0 valid, 2 not valid.`,
  run: async (args, env) => {
    const { values } = parseCommand(args, dataFlags)
    const options = readOptions(args, env)
    // What the command line says is in no line of the file.
    const given = values['data-dir'] === undefined ? env : { ...env, DATA_DIR: values['data-dir'] }
    if (options !== undefined) {
      await requireStartable(options).catch((error: unknown) =>
        // Thrown again by a reader of the configuration, it gets its line.
        withConfiguration(values.config, given, () => {
          throw error
        }),
      )
    }
    print(`${configFileOf(values.config, env) ?? 'The environment'} is valid.`)
    return exitCodes.done
  },
}
