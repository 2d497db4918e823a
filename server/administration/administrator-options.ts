import { ApiError } from '../http/api-error.ts'
import { UsageError } from '../usage-error.ts'
import { requireLogin } from '../users/account-store.ts'
import { requireComplexity } from '../users/password.ts'

/** Weak passwords and invalid logins are mistakes in the options: another start would fail again. */
export const administratorError = ({ code, message, details }: ApiError): UsageError => {
  const reason = message || Object.values(details ?? {}).join('; ') || code
  const option = code === 'PasswordIsNotComplexEnough' ? 'ADMIN_PASSWORD' : 'ADMIN_LOGIN'
  return new UsageError(`ADMIN_LOGIN, ADMIN_PASSWORD: ${reason}`, option)
}

/** Throws `UsageError` if no administrator can have this login and password. `title`: that of the application. */
export const requireAdministrator = ({ login, password }: { login: string; password: string }, title: string): void => {
  try {
    requireComplexity(password, { login, title })
    requireLogin(login)
  } catch (error) {
    throw error instanceof ApiError ? administratorError(error) : error
  }
}
