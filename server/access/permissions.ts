import * as z from 'zod/mini'
import type { StreamPermissions, UserPermissions } from '../../src/api/contract/stream.ts'
import type { ServerContext } from '../context.ts'
import { validationError } from '../http/api-error.ts'
import { query, type Store } from '../store/store.ts'
import { columnsOf, rightFields, rightsOfRow, type StreamRights } from './stream-rights.ts'

type Granted = { login: string; uid: string } & StreamRights

const columns = `p.can_view AS canView, p.can_view_archive AS canViewArchive, p.can_admin AS canAdmin,
  p.can_download AS canDownload`

export const streamPermissions = async (store: Store, uid: string): Promise<StreamPermissions> => {
  const rows = await query(
    store,
    z.object({ login: z.string(), ...rightFields }),
    `SELECT p.login AS login, ${columns} FROM stream_permissions p WHERE p.uid = ? ORDER BY p.login`,
  ).all(uid)
  return { permissions: rows.map(rightsOfRow) }
}

export const userPermissions = async (store: Store, login: string): Promise<UserPermissions> => {
  const rows = await query(
    store,
    z.object({ uid: z.string(), name: z.string(), ...rightFields }),
    `SELECT p.uid AS uid, s.name AS name, ${columns} FROM stream_permissions p JOIN streams s ON s.uid = p.uid
     WHERE p.login = ? ORDER BY fold(s.name), p.uid`,
  ).all(login)
  return { permissions: rows.map(rightsOfRow) }
}

const grant = async (store: Store, { login, uid, ...granted }: Granted): Promise<void> => {
  const values = columnsOf(granted)
  const [canView] = values
  // Every right includes this one: without it there is nothing to store. The last entry of a stream and a user counts.
  if (canView === 0) {
    await store.run('DELETE FROM stream_permissions WHERE login = ? AND uid = ?', login, uid)
    return
  }
  await store.run(
    `INSERT INTO stream_permissions (login, uid, can_view, can_view_archive, can_admin, can_download)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (login, uid) DO UPDATE SET can_view = excluded.can_view,
       can_view_archive = excluded.can_view_archive, can_admin = excluded.can_admin,
       can_download = excluded.can_download`,
    login,
    uid,
    ...values,
  )
}

const IdRow = z.object({ id: z.string() })

/** Replaces all permissions of a stream. Throws 400 with the first login that doesn't exist. */
export const replaceStreamPermissions = (
  { store, accounts }: Pick<ServerContext, 'store' | 'accounts'>,
  uid: string,
  list: StreamPermissions,
): Promise<StreamPermissions> =>
  store.transaction(async () => {
    await store.run('DELETE FROM stream_permissions WHERE uid = ?', uid)
    for (const [index, permission] of list.permissions.entries()) {
      const login = (await accounts.find(permission.login))?.login
      if (login === undefined) throw validationError({ [`permissions.${index}.login`]: 'Unknown login' })
      await grant(store, { ...permission, login, uid })
    }
    return streamPermissions(store, uid)
  })

/** Replaces all permissions of a user. Throws 400 with the first stream that doesn't exist. */
export const replaceUserPermissions = (store: Store, login: string, list: UserPermissions): Promise<UserPermissions> =>
  store.transaction(async () => {
    const stream = query(store, IdRow, 'SELECT uid AS id FROM streams WHERE uid = ?')
    await store.run('DELETE FROM stream_permissions WHERE login = ?', login)
    for (const [index, permission] of list.permissions.entries()) {
      if ((await stream.get(permission.uid)) === undefined) {
        throw validationError({ [`permissions.${index}.uid`]: 'Unknown stream' })
      }
      await grant(store, { ...permission, login })
    }
    return userPermissions(store, login)
  })
