import * as z from 'zod/mini'
import type {
  GroupPermission,
  GroupPermissions,
  GroupPermissionsBody,
  StreamGroupPermissions,
  UserGroupPermissions,
} from '../../src/api/contract/groups.ts'
import { columnsOf, rightFields, rightsOfRow } from '../access/stream-rights.ts'
import { notFound, validationError } from '../http/api-error.ts'
import { query, type Store } from '../store/store.ts'
import type { GroupStore } from './group-store.ts'

const columns = `g.can_view AS canView, g.can_view_archive AS canViewArchive, g.can_admin AS canAdmin,
  g.can_download AS canDownload`
/** The rights of several grants combined. Downloading takes one grant of both the archive and downloads. */
const joinedColumns = `max(a.can_view) AS canView, max(a.can_view_archive) AS canViewArchive,
  max(a.can_admin) AS canAdmin, max(a.can_view_archive * a.can_download) AS canDownload`
const grantColumns = `g.can_view AS can_view, g.can_view_archive AS can_view_archive, g.can_admin AS can_admin,
  g.can_download AS can_download`

export const createGroupPermissions = (store: Store, groups: GroupStore) => {
  const ofStreamGroups = query(
    store,
    z.object({ streamGroupId: z.string(), name: z.string(), ...rightFields }),
    `SELECT g.stream_group AS streamGroupId, a.name AS name, ${columns}
     FROM group_grants g JOIN access_groups a ON a.id = g.stream_group WHERE g.user_group = ?
     ORDER BY fold(a.name), a.id`,
  )
  const ofStreams = query(
    store,
    z.object({ streamId: z.string(), name: z.string(), ...rightFields }),
    `SELECT g.uid AS streamId, s.name AS name, ${columns}
     FROM group_stream_grants g JOIN streams s ON s.uid = g.uid WHERE g.user_group = ? ORDER BY fold(s.name), s.uid`,
  )
  const byUser = query(
    store,
    z.object({ uid: z.string(), name: z.string(), groupName: z.string(), ...rightFields }),
    `SELECT a.uid AS uid, s.name AS name, n.name AS groupName, ${joinedColumns}
     FROM (
       SELECT g.user_group AS user_group, g.uid AS uid, ${grantColumns}
       FROM group_users u JOIN group_stream_grants g ON g.user_group = u.group_id WHERE u.login = ?
       UNION ALL
       SELECT g.user_group AS user_group, m.uid AS uid, ${grantColumns}
       FROM group_users u JOIN group_grants g ON g.user_group = u.group_id
       JOIN group_streams m ON m.group_id = g.stream_group WHERE u.login = ?
     ) a JOIN streams s ON s.uid = a.uid JOIN access_groups n ON n.id = a.user_group
     GROUP BY a.uid, s.name, n.id, n.name ORDER BY fold(s.name), a.uid, fold(n.name)`,
  )
  const byStream = query(
    store,
    z.object({ groupId: z.string(), name: z.string(), memberCount: z.number(), ...rightFields }),
    `SELECT n.id AS groupId, n.name AS name, ${joinedColumns},
       (SELECT count(*) FROM group_users u WHERE u.group_id = n.id) AS memberCount
     FROM (
       SELECT g.user_group AS user_group, ${grantColumns} FROM group_stream_grants g WHERE g.uid = ?
       UNION ALL
       SELECT g.user_group AS user_group, ${grantColumns}
       FROM group_streams m JOIN group_grants g ON g.stream_group = m.group_id WHERE m.uid = ?
     ) a JOIN access_groups n ON n.id = a.user_group
     GROUP BY n.id, n.name ORDER BY fold(n.name), n.id`,
  )
  const stream = query(store, z.object({ uid: z.string() }), 'SELECT uid FROM streams WHERE uid = ?')

  const requireUserGroup = async (id: string): Promise<void> => {
    if ((await groups.get(id)).kind !== 'users') throw notFound()
  }

  const list = async (id: string): Promise<GroupPermissions> => ({
    permissions: [...(await ofStreamGroups.all(id)).map(rightsOfRow), ...(await ofStreams.all(id)).map(rightsOfRow)],
  })

  /** The table and column of what an entry names. Throws 400 if it is unknown, or if there isn't exactly one. */
  const targetOf = async (
    { streamGroupId, streamId }: GroupPermission,
    index: number,
  ): Promise<{ table: string; column: string; target: string }> => {
    if (streamGroupId !== undefined && streamId === undefined) {
      if ((await groups.find(streamGroupId))?.kind !== 'streams')
        throw validationError({ [`permissions.${index}.streamGroupId`]: 'Unknown group' })
      return { table: 'group_grants', column: 'stream_group', target: streamGroupId }
    }
    if (streamId === undefined || streamGroupId !== undefined)
      throw validationError({ [`permissions.${index}`]: 'Must have either streamGroupId or streamId' })
    if ((await stream.get(streamId)) === undefined)
      throw validationError({ [`permissions.${index}.streamId`]: 'Unknown stream' })
    return { table: 'group_stream_grants', column: 'uid', target: streamId }
  }

  return {
    /** Rejects with 404 unless it is a group of users. */
    list: async (id: string): Promise<GroupPermissions> => {
      await requireUserGroup(id)
      return list(id)
    },

    /** Replaces all rights of a group of users. */
    replace: (id: string, { permissions }: GroupPermissionsBody): Promise<GroupPermissions> =>
      store.transaction(async () => {
        await requireUserGroup(id)
        await store.run('DELETE FROM group_grants WHERE user_group = ?', id)
        await store.run('DELETE FROM group_stream_grants WHERE user_group = ?', id)
        for (const [index, permission] of permissions.entries()) {
          const { table, column, target } = await targetOf(permission, index)
          const values = columnsOf(permission)
          const [canView] = values
          // Every right includes this one: without it there is nothing to store. The last entry of a target counts.
          if (canView === 0) {
            await store.run(`DELETE FROM ${table} WHERE user_group = ? AND ${column} = ?`, id, target)
            continue
          }
          await store.run(
            `INSERT INTO ${table} (user_group, ${column}, can_view, can_view_archive, can_admin, can_download)
             VALUES (?, ?, ?, ?, ?, ?)
             ON CONFLICT (user_group, ${column}) DO UPDATE SET can_view = excluded.can_view,
               can_view_archive = excluded.can_view_archive, can_admin = excluded.can_admin,
               can_download = excluded.can_download`,
            id,
            target,
            ...values,
          )
        }
        return list(id)
      }),

    /** What a user may do through groups, for each stream. */
    ofUser: async (login: string): Promise<UserGroupPermissions> => {
      const byUid = Map.groupBy(await byUser.all(login, login), ({ uid }) => uid)
      const permissions = [...byUid].map(([uid, rows]) =>
        rightsOfRow({
          uid,
          name: rows[0]?.name ?? '',
          canView: rows.some(({ canView }) => canView),
          canViewArchive: rows.some(({ canViewArchive }) => canViewArchive),
          canAdmin: rows.some(({ canAdmin }) => canAdmin),
          canDownload: rows.some(({ canDownload }) => canDownload),
          groups: rows.map(({ groupName }) => groupName),
        }),
      )
      return { permissions }
    },

    /** The groups of users with rights to a stream. */
    ofStream: async (uid: string): Promise<StreamGroupPermissions> => ({
      permissions: (await byStream.all(uid, uid)).map(rightsOfRow),
    }),
  }
}
