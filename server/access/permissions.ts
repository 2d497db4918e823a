import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import type { StreamPermissions, UserPermissions } from '../../src/api/contract/stream.ts'
import { validationError } from '../http/api-error.ts'
import { inTransaction, query } from '../store/database.ts'
import { bit } from '../store/store.ts'
import type { StreamRights } from './access.ts'

type Granted = { login: string; uid: string } & StreamRights

const rights = { canView: bit, canViewArchive: bit, canAdmin: bit }
const columns = 'p.can_view AS canView, p.can_view_archive AS canViewArchive, p.can_admin AS canAdmin'

export const streamPermissions = (db: DatabaseSync, uid: string): StreamPermissions => ({
  permissions: query(
    db,
    z.object({ login: z.string(), ...rights }),
    `SELECT p.login AS login, ${columns} FROM stream_permissions p WHERE p.uid = ? ORDER BY p.login`,
  ).all(uid),
})

export const userPermissions = (db: DatabaseSync, login: string): UserPermissions => ({
  permissions: query(
    db,
    z.object({ uid: z.string(), name: z.string(), ...rights }),
    `SELECT p.uid AS uid, s.name AS name, ${columns} FROM stream_permissions p JOIN streams s ON s.uid = p.uid
     WHERE p.login = ? ORDER BY fold(s.name), p.uid`,
  ).all(login),
})

const granting = (db: DatabaseSync) => {
  const insert = db.prepare(
    `INSERT OR REPLACE INTO stream_permissions (login, uid, can_view, can_view_archive, can_admin)
     VALUES (?, ?, ?, ?, ?)`,
  )
  return ({ login, uid, canView, canViewArchive, canAdmin }: Granted): void => {
    if (!canView && !canViewArchive && !canAdmin) return
    const hasArchive = canViewArchive || canAdmin
    insert.run(login, uid, Number(canView || hasArchive), Number(hasArchive), Number(canAdmin))
  }
}

const Found = z.object({ id: z.string() })

/** Replaces all permissions of a stream. Throws 400 with the first login that doesn't exist. */
export const replaceStreamPermissions = (db: DatabaseSync, uid: string, list: StreamPermissions): StreamPermissions =>
  inTransaction(db, () => {
    const grant = granting(db)
    const user = query(db, Found, 'SELECT login AS id FROM users WHERE login = ?')
    db.prepare('DELETE FROM stream_permissions WHERE uid = ?').run(uid)
    for (const [index, permission] of list.permissions.entries()) {
      const login = user.get(permission.login)?.id
      if (login === undefined) throw validationError({ [`permissions.${index}.login`]: 'Unknown login' })
      grant({ ...permission, login, uid })
    }
    return streamPermissions(db, uid)
  })

/** Replaces all permissions of a user. Throws 400 with the first stream that doesn't exist. */
export const replaceUserPermissions = (db: DatabaseSync, login: string, list: UserPermissions): UserPermissions =>
  inTransaction(db, () => {
    const grant = granting(db)
    const stream = query(db, Found, 'SELECT uid AS id FROM streams WHERE uid = ?')
    db.prepare('DELETE FROM stream_permissions WHERE login = ?').run(login)
    for (const [index, permission] of list.permissions.entries()) {
      if (stream.get(permission.uid) === undefined) {
        throw validationError({ [`permissions.${index}.uid`]: 'Unknown stream' })
      }
      grant({ ...permission, login })
    }
    return userPermissions(db, login)
  })
