import { join } from 'node:path'
import process from 'node:process'
import { createAuditLog } from '../audit/audit-log.ts'
import { createConfiguration } from '../configuration/configuration.ts'
import { ApiError } from '../http/api-error.ts'
import { schema } from '../schema.ts'
import { createBackgroundWrites } from '../store/background-writes.ts'
import { openDatabaseOf } from '../store/open.ts'
import { databaseName, requireDatabase } from '../store/secure-folder.ts'
import { WrongArguments } from '../usage-error.ts'
import { createAccounts } from '../users/account-store.ts'
import { resetPassword } from '../users/reset-password.ts'
import { createSessions } from '../users/sessions.ts'
import { createTokens } from '../users/tokens.ts'
import { exitCodes, parseCommand, dataFlags, print, type Command } from './command.ts'
import { dataOptionsOf, type DataOptions } from './data-options.ts'
import { readSecret } from './secret-input.ts'

/** Opens the database with what `resetPassword` needs of it. */
const openUsers = async ({ dataDir, databaseUrl, defaults }: DataOptions) => {
  const store = await openDatabaseOf(join(dataDir, databaseName), { databaseUrl }, schema)
  const { title } = (await createConfiguration(store, defaults, Date.now)).values().application
  return {
    store,
    accounts: createAccounts(store, Date.now),
    sessions: createSessions(store, createBackgroundWrites(store), Date.now),
    tokens: createTokens(store, Date.now),
    audit: await createAuditLog(store, Date.now),
    title,
  }
}

const messageOf = (error: ApiError, name: string): string => {
  if (error.code === 'NotFound') return `There is no user ${name}`
  return error.message === '' ? error.code : error.message
}

const options = { ...dataFlags, 'remove-second-factor': { type: 'boolean' } } as const

export const user: Command = {
  summary: 'Resets the password of a user, also while the server runs',
  usage: `Usage: sightline user reset-password LOGIN [--remove-second-factor] [--config FILE] [--data-dir DIR]
  Asks for the new password twice without echo, or reads it from the first line of the standard input; it is no
  argument, as other users of the machine could read it. Ends all sessions, API tokens and passkeys of the user, also
  on a running server; the user must choose another password at the next sign-in. The second factor stays on unless you
  give --remove-second-factor, for a user who lost phone and recovery codes. The audit log records both.
  Exit codes: 0 done, 1 refused or failed, 2 wrong arguments or configuration, 130 stopped, and nothing changed.`,
  run: async (args, env) => {
    const { values, positionals } = parseCommand(args, options, { allowPositionals: true })
    const [verb, name, more] = positionals
    if (verb !== 'reset-password' || name === undefined || more !== undefined)
      throw new WrongArguments('user takes reset-password and the login of a user')
    const data = dataOptionsOf(values, env)
    if (data.databaseUrl === undefined) requireDatabase(data.dataDir)
    const secret = await readSecret('New password')
    if (secret === 'stopped') {
      print('Stopped. Nothing was changed.')
      return exitCodes.stopped
    }
    if (secret === 'different') {
      process.stderr.write('The passwords differ. Nothing was changed.\n')
      return exitCodes.failed
    }
    const services = await openUsers(data)
    try {
      const removesTotp = values['remove-second-factor'] === true
      const { login, hasTotp, isTotpRemoved } = await resetPassword(services, name, {
        password: secret.text,
        removesTotp,
      })
      print(`The password of ${login} is set. ${login} must change it at the next sign-in.`)
      if (isTotpRemoved) print('The second factor is off.')
      else if (hasTotp) print('The second factor stays on; --remove-second-factor turns it off.')
      return exitCodes.done
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      process.stderr.write(`${messageOf(error, name)}. Nothing was changed.\n`)
      return exitCodes.failed
    } finally {
      await services.store.close()
    }
  },
}
