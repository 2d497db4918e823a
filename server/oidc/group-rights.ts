import * as z from 'zod/mini'
import { bit, query, type Store } from '../store/store.ts'
import type { GroupRights } from './options.ts'

const StreamRow = z.object({ uid: z.string(), name: z.string() })
const RightsRow = z.object({ uid: z.string(), canViewArchive: bit, canAdmin: bit })
export type NamedStream = z.output<typeof StreamRow>
/** Each includes live. */
type Rights = Omit<z.output<typeof RightsRow>, 'uid'>

/** The rights of a provider's groups to streams, by name, in a table of their own: what people grant is not changed. */
export const createGroupRights = (store: Store, rules: readonly GroupRights[]) => {
  const streams = query(store, StreamRow, 'SELECT uid, name FROM streams')
  const granted = query(
    store,
    RightsRow,
    `SELECT uid, can_view_archive AS canViewArchive, can_admin AS canAdmin
     FROM oidc_permissions WHERE login = ?`,
  )
  const compiled = rules.map((rule) => ({
    ...rule,
    namePattern: new RegExp(`^${rule.pattern.split(/\*+/).map(RegExp.escape).join('[^]*')}$`, 'iu'),
  }))

  const wantedOf = (groups: readonly string[], all: readonly NamedStream[]): Map<string, Rights> => {
    const wanted = new Map<string, Rights>()
    for (const { rights, namePattern } of compiled.filter(({ group }) => groups.includes(group))) {
      for (const { uid } of all.filter(({ name }) => namePattern.test(name))) {
        const before = wanted.get(uid)
        wanted.set(uid, {
          canViewArchive: rights.canViewArchive || before?.canViewArchive === true,
          canAdmin: rights.canAdmin || before?.canAdmin === true,
        })
      }
    }
    return wanted
  }

  const isSame = (one: Rights, other: Rights | undefined): boolean =>
    one.canViewArchive === other?.canViewArchive && one.canAdmin === other.canAdmin

  return {
    streams: () => streams.all(),
    /** Grants the rights of the groups and revokes others; false if nothing changes. Within a transaction. */
    apply: async (login: string, groups: readonly string[], all: readonly NamedStream[]): Promise<boolean> => {
      const wanted = wantedOf(groups, all)
      const before = new Map((await granted.all(login)).map(({ uid, ...rights }) => [uid, rights]))
      const revoked = [...before.keys()].filter((uid) => !wanted.has(uid))
      const changed = [...wanted].filter(([uid, rights]) => !isSame(rights, before.get(uid)))
      for (const uid of revoked) await store.run('DELETE FROM oidc_permissions WHERE login = ? AND uid = ?', login, uid)
      for (const [uid, { canViewArchive, canAdmin }] of changed) {
        await store.run(
          `INSERT INTO oidc_permissions (login, uid, can_view, can_view_archive, can_admin) VALUES (?, ?, 1, ?, ?)
           ON CONFLICT (login, uid) DO UPDATE SET can_view_archive = excluded.can_view_archive,
             can_admin = excluded.can_admin`,
          login,
          uid,
          Number(canViewArchive),
          Number(canAdmin),
        )
      }
      return revoked.length + changed.length > 0
    },
  }
}
