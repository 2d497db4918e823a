import type { AnyActorLogic } from 'xstate'
import { loadMessages } from '../i18n/i18n.ts'
import type { RouteName } from '../machines/app/routes.ts'
import type { Page } from './page.ts'
import { page as signIn } from './session/sign-in.ts'

type Loader = () => Promise<{ page: Page }>

/**
 * Each page is a chunk: machine, actors and view. Only the sign-in page, a visitor's first, is part of the main bundle.
 */
const loaders: Partial<Record<RouteName, Loader>> = {
  auth: async () => ({ page: signIn }),
  recoverPassword: () => import('./session/recovery.ts'),
  init: () => import('./session/init.ts'),

  streams: () => import('./streams/streams.ts'),

  addStream: () => import('./stream/add-stream.ts'),
  streamInfo: () => import('./stream/info.ts'),
  streamSettings: () => import('./stream/settings.ts'),
  streamMasks: () => import('./stream/masks.ts'),
  streamPermissions: () => import('./stream/permissions.ts'),
  streamDebug: () => import('./stream/debug.ts'),

  streamView: () => import('./player/player.ts'),

  mosaics: () => import('./mosaics/mosaics.ts'),
  createMosaic: () => import('./mosaics/mosaic-edit.ts'),
  mosaic: () => import('./mosaics/mosaic.ts'),
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

const loaded = new Map<RouteName, Page>()

/** Pages that don't need all messages (scripts/message-parts.ts). */
const parts: Partial<Record<RouteName, 'shell' | 'video'>> = { streams: 'shell', streamView: 'video', mosaic: 'video' }
const messagesOf = (name: RouteName): Promise<void> | undefined =>
  name === 'auth' ? undefined : loadMessages(parts[name] ?? 'pages')

/** Afterwards `viewOf` returns the page's view. */
export async function loadPage(name: RouteName): Promise<AnyActorLogic | null> {
  const [loading] = await Promise.all([loaders[name]?.(), messagesOf(name)])
  if (loading === undefined) return null
  loaded.set(name, loading.page)
  return loading.page.logic
}

export const logicOf = (name: RouteName): AnyActorLogic | undefined => loaded.get(name)?.logic

export const viewOf = (name: RouteName): Page['View'] | undefined => loaded.get(name)?.View
