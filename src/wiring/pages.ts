import type { AnyActorLogic } from 'xstate'
import { completeMessages } from '../i18n/i18n.ts'
import type { RouteName } from '../machines/app/routes.ts'
import type { Page } from './page.ts'
import { page as signIn } from './sign-in.ts'

type Loader = () => Promise<{ page: Page }>

/** The code of every page, a chunk each: its machine, its actors and its view come together. Whoever comes first signs in: that page comes with the console. */
const loaders: Partial<Record<RouteName, Loader>> = {
  auth: async () => ({ page: signIn }),
  init: () => import('./init.ts'),
  streamInfo: () => import('./stream-info.ts'),
  streamSettings: () => import('./stream-settings.ts'),
  streamPermissions: () => import('./stream-permissions.ts'),
  streamDebug: () => import('./stream-debug.ts'),
  addStream: () => import('./add-stream.ts'),
  recoverPassword: () => import('./recovery.ts'),
  profileInfo: () => import('./profile-info.ts'),
  profileEdit: () => import('./profile-edit.ts'),
  tokens: () => import('./tokens.ts'),
  sessions: () => import('./sessions.ts'),
  users: () => import('./users.ts'),
  userAdd: () => import('./user-add.ts'),
  userInfo: () => import('./user-info.ts'),
  userEdit: () => import('./user-edit.ts'),
  userPermission: () => import('./user-permissions.ts'),
  userSessions: () => import('./sessions.ts'),
  mosaics: () => import('./mosaics.ts'),
  mosaic: () => import('./mosaic.ts'),
  createMosaic: () => import('./mosaic-edit.ts'),
  mosaicEdit: () => import('./mosaic-edit.ts'),
  bookmarks: () => import('./bookmarks.ts'),
  help: () => import('./help.ts'),
  statistics: () => import('./administration-statistics.ts'),
  configuration: () => import('./administration-configuration.ts'),
  cluster: () => import('./administration-cluster.ts'),
  license: () => import('./administration-license.ts'),
  serverDebug: () => import('./administration-server-debug.ts'),
  tunnel: () => import('./administration-tunnel.ts'),
  auditLogs: () => import('./administration-audit.ts'),
  streams: () => import('./streams.ts'),
  streamView: () => import('./player.ts'),
  swagger: () => import('./api-documentation.ts'),
}

const loaded = new Map<RouteName, Page>()

/** Fetches a page's code and answers its machine; the view can be had from `viewOf` from then on. The words of sign-in come with the first screen's. */
export async function loadPage(name: RouteName): Promise<AnyActorLogic | null> {
  const [loading] = await Promise.all([loaders[name]?.(), name === 'auth' ? null : completeMessages()])
  if (loading === undefined) return null
  loaded.set(name, loading.page)
  return loading.page.logic
}

/** The machine of a page whose code has come. */
export const logicOf = (name: RouteName): AnyActorLogic | undefined => loaded.get(name)?.logic

export const viewOf = (name: RouteName): Page['View'] | undefined => loaded.get(name)?.View
