import type { RouteName } from '../machines/app/routes.ts'
import type { PageLoader } from './page.ts'

/**
 * The pages that are opened less often, in a file of their own: sign-in, the list, the player and mosaics don't load
 * it.
 */
export const loaders: Partial<Record<RouteName, PageLoader>> = {
  recoverPassword: () => import('./session/recovery.ts'),
  init: () => import('./session/init.ts'),

  addStream: () => import('./stream/add-stream.ts'),
  streamInfo: () => import('./stream/info.ts'),
  streamSettings: () => import('./stream/settings.ts'),
  streamMasks: () => import('./stream/masks.ts'),
  streamPermissions: () => import('./stream/permissions.ts'),
  streamDebug: () => import('./stream/debug.ts'),

  mosaics: () => import('./mosaics/mosaics.ts'),
  createMosaic: () => import('./mosaics/mosaic-edit.ts'),
  mosaicEdit: () => import('./mosaics/mosaic-edit.ts'),

  plans: async () => ({ page: (await import('./plans/pages.ts')).plans }),
  plan: async () => ({ page: (await import('./plans/pages.ts')).plan }),
  planEdit: async () => ({ page: (await import('./plans/pages.ts')).planEdit }),

  bookmarks: () => import('./bookmarks/bookmarks.ts'),
  events: () => import('./events/events.ts'),
  exports: () => import('./exports/exports.ts'),

  profileInfo: () => import('./profile/info.ts'),
  profileEdit: () => import('./profile/edit.ts'),
  tokens: () => import('./profile/tokens.ts'),
  sessions: () => import('./profile/sessions.ts'),

  users: () => import('./users/users.ts'),
  userAdd: () => import('./users/add.ts'),
  userInfo: () => import('./users/info.ts'),
  userEdit: () => import('./users/edit.ts'),
  userPermission: () => import('./users/permissions.ts'),
  userSessions: () => import('./profile/sessions.ts'),

  statistics: () => import('./administration/statistics.ts'),
  configuration: () => import('./administration/configuration.ts'),
  cluster: () => import('./administration/cluster.ts'),
  license: () => import('./administration/license.ts'),
  serverDebug: () => import('./administration/server-debug.ts'),
  tunnel: () => import('./administration/tunnel.ts'),
  auditLogs: () => import('./administration/audit.ts'),
  groups: () => import('./groups/groups.ts'),
  group: () => import('./groups/group.ts'),
  alerts: () => import('./alerts/alerts.ts'),
  swagger: () => import('./administration/api-documentation.ts'),

  help: () => import('./shell/help.ts'),
}
