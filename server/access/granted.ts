/**
 * SQL of the rights that a user was given, of those that the user's groups were given, and of those by groups of single
 * sign-on. Every table follows FROM or JOIN, where cached queries look for it (server/store/writes.ts).
 */

const groupsOfUser = 'SELECT group_id FROM group_users WHERE login = ?'

/** The streams with a grant that meets a condition on the columns of rights. The values: the login, four times. */
const streamsGranted = (right: string): string =>
  `SELECT uid FROM stream_permissions WHERE login = ? AND ${right}
   UNION ALL SELECT uid FROM oidc_permissions WHERE login = ? AND ${right}
   UNION ALL SELECT uid FROM group_stream_grants WHERE ${right} AND user_group IN (${groupsOfUser})
   UNION ALL SELECT uid FROM group_streams WHERE group_id IN (
     SELECT stream_group FROM group_grants WHERE ${right} AND user_group IN (${groupsOfUser}))`

/** A condition on the table `streams`, with its values: the streams that a login owns, or has a right to. */
export const ownedOrGranted = (login: string, right: string): { sql: string; values: string[] } => ({
  sql: `(streams.owner = ? OR streams.uid IN (${streamsGranted(right)}))`,
  values: [login, login, login, login, login],
})

const rights = (table: string): string =>
  `${table}.can_view, ${table}.can_view_archive, ${table}.can_admin, ${table}.can_download`

/**
 * What a login may do with each of some streams: to download if one of the grants gives the archive with downloads. The
 * values are those of {@link grantsValues}.
 */
export const grantsOf = (placeholders: string): string =>
  `SELECT s.uid AS uid, CASE WHEN s.owner = ? THEN 1 ELSE 0 END AS isOwner,
     coalesce(max(a.can_view), 0) AS canView, coalesce(max(a.can_view_archive), 0) AS canViewArchive,
     coalesce(max(a.can_admin), 0) AS canAdmin, coalesce(max(a.can_view_archive * a.can_download), 0) AS canDownload
   FROM streams s LEFT JOIN (
     SELECT p.uid, ${rights('p')} FROM stream_permissions p WHERE p.login = ? AND p.uid IN (${placeholders})
     UNION ALL
     SELECT o.uid, o.can_view, o.can_view_archive, o.can_admin, 1 AS can_download FROM oidc_permissions o
     WHERE o.login = ? AND o.uid IN (${placeholders})
     UNION ALL
     SELECT g.uid, ${rights('g')} FROM group_stream_grants g JOIN group_users u ON u.group_id = g.user_group
     WHERE u.login = ? AND g.uid IN (${placeholders})
     UNION ALL
     SELECT m.uid, ${rights('g')} FROM group_users u JOIN group_grants g ON g.user_group = u.group_id
     CROSS JOIN group_streams m WHERE u.login = ? AND m.group_id = g.stream_group AND m.uid IN (${placeholders})
   ) a ON a.uid = s.uid
   WHERE s.uid IN (${placeholders}) GROUP BY s.uid`

export const grantsValues = (login: string, uids: readonly string[]): string[] => [
  login,
  login,
  ...uids,
  login,
  ...uids,
  login,
  ...uids,
  login,
  ...uids,
  ...uids,
]
