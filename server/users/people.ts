import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import * as z from 'zod/mini'
import type { User } from '../../src/api/contract/user.ts'
import { newId } from '../access/secrets.ts'
import { actionNotAcceptable, alreadyUsed, notFound, validationError } from '../http/api-error.ts'
import { inTransaction, query } from '../store/database.ts'
import { bit } from '../store/store.ts'

const PersonRow = z.object({
  /** Unchanged by a rename, never reused, not on the wire. */
  id: z.string(),
  login: z.string(),
  email: z.string(),
  fullName: z.string(),
  language: z.string(),
  isAdmin: bit,
  maxStreamCreation: z.number(),
  isManaged: bit,
  isBlocked: bit,
  passwordHash: z.string(),
  mustChangePassword: bit,
})
export type Person = z.output<typeof PersonRow>
export type NewPerson = Omit<Person, 'id'>

const columns = `id, login, email, full_name AS fullName, language, is_admin AS isAdmin,
  max_stream_creation AS maxStreamCreation, is_managed AS isManaged, is_blocked AS isBlocked,
  password_hash AS passwordHash, must_change_password AS mustChangePassword`

const columnOf = {
  login: 'login',
  email: 'email',
  fullName: 'full_name',
  language: 'language',
  isAdmin: 'is_admin',
  maxStreamCreation: 'max_stream_creation',
  isBlocked: 'is_blocked',
  passwordHash: 'password_hash',
  mustChangePassword: 'must_change_password',
} as const

export type PersonChange = { -readonly [Field in keyof typeof columnOf]?: Person[Field] | undefined }

export type People = {
  /** Ignores case. */
  find: (login: string) => Person | undefined
  findByEmail: (email: string) => Person | undefined
  /** Like `find`, but throws 404. */
  get: (login: string) => Person
  all: () => Person[]
  /** Throws 409 AlreadyUsed with the field in use. */
  create: (person: NewPerson) => Person
  /** Also renames. Throws 409 AlreadyUsed, or ActionNotAcceptable if no administrator would remain. */
  change: (login: string, change: PersonChange) => Person
  remove: (login: string) => void
  hasAdministrator: () => boolean
}

const loginAtMost = 100
const emailAtMost = 320

/** A typed login or address, trimmed; '' if too long. */
export const typedName = (text: string): string => (text.length > emailAtMost ? '' : text.trim())

const sqlValue = (value: string | number | boolean): SQLInputValue =>
  typeof value === 'boolean' ? Number(value) : value

export const userOf = (person: Person): User => ({
  name: person.login,
  email: person.email,
  fullName: person.fullName,
  language: person.language,
  isAdmin: person.isAdmin,
  permissionType: person.isAdmin ? 'admin' : 'user',
  maxStreamCreation: person.maxStreamCreation,
  isManaged: person.isManaged,
  isBlocked: person.isBlocked,
  ...(person.mustChangePassword ? { mustChangePassword: true } : {}),
})

const CountRow = z.object({ count: z.number() })

export const createPeople = (db: DatabaseSync, now: () => number): People => {
  const byLogin = query(db, PersonRow, `SELECT ${columns} FROM users WHERE login = ?`)
  const byFolded = query(db, PersonRow, `SELECT ${columns} FROM users WHERE fold(login) = fold(?)`)
  const byEmail = query(db, PersonRow, `SELECT ${columns} FROM users WHERE email = ? AND email <> ''`)
  const everyone = query(db, PersonRow, `SELECT ${columns} FROM users ORDER BY login`)
  const administrators = query(db, CountRow, 'SELECT count(*) AS count FROM users WHERE is_admin AND NOT is_blocked')

  // The table's NOCASE index folds ASCII only; other scripts are compared one by one.
  const find = (login: string): Person | undefined => {
    if (login.length > loginAtMost) return undefined
    return byLogin.get(login) ?? (/^\p{ASCII}*$/u.test(login) ? undefined : byFolded.get(login))
  }

  const findByEmail = (email: string): Person | undefined =>
    email.length > emailAtMost ? undefined : byEmail.get(email)

  const get: People['get'] = (login) => {
    const person = find(login)
    if (person === undefined) throw notFound()
    return person
  }

  const requireFree = (login: string | undefined, email: string | undefined, own?: string): void => {
    if (login !== undefined && login.length > loginAtMost) {
      throw validationError({ name: `At most ${loginAtMost} characters` })
    }
    if (email !== undefined && email.length > emailAtMost) {
      throw validationError({ email: `At most ${emailAtMost} characters` })
    }
    if (login !== undefined && login.toLowerCase() === 'add') throw validationError({ name: 'This name is reserved' })
    const sameLogin = login === undefined ? undefined : find(login)
    if (sameLogin !== undefined && sameLogin.login !== own) throw alreadyUsed({ name: 'Already used' })
    const sameEmail = email === undefined ? undefined : findByEmail(email)
    if (sameEmail !== undefined && sameEmail.login !== own) throw alreadyUsed({ email: 'Already used' })
  }

  const hasAdministrator = () => (administrators.get()?.count ?? 0) > 0
  const requireAdministrator = () => {
    if (!hasAdministrator()) throw actionNotAcceptable('The last administrator must stay')
  }

  return {
    find,
    findByEmail,
    get,
    all: () => everyone.all(),
    hasAdministrator,
    create: (person) =>
      inTransaction(db, () => {
        requireFree(person.login, person.email)
        db.prepare(
          `INSERT INTO users (id, login, email, full_name, language, is_admin, max_stream_creation, is_managed,
            is_blocked, password_hash, must_change_password, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(
          newId(),
          person.login,
          person.email,
          person.fullName,
          person.language,
          Number(person.isAdmin),
          person.maxStreamCreation,
          Number(person.isManaged),
          Number(person.isBlocked),
          person.passwordHash,
          Number(person.mustChangePassword),
          now(),
        )
        return get(person.login)
      }),
    change: (login, change) =>
      inTransaction(db, () => {
        const before = get(login)
        requireFree(change.login, change.email, before.login)
        for (const [field, column] of Object.entries(columnOf)) {
          const value = Object.entries(change).find(([name]) => name === field)?.[1]
          if (value === undefined) continue
          const key = change.login !== undefined && field !== 'login' ? change.login : before.login
          db.prepare(`UPDATE users SET ${column} = ? WHERE login = ?`).run(sqlValue(value), key)
        }
        if (before.isAdmin && !before.isBlocked) requireAdministrator()
        return get(change.login ?? before.login)
      }),
    remove: (login) => {
      inTransaction(db, () => {
        const { login: key, isAdmin, isBlocked } = get(login)
        db.prepare('DELETE FROM users WHERE login = ?').run(key)
        if (isAdmin && !isBlocked) requireAdministrator()
      })
    },
  }
}
