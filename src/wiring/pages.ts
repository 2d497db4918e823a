import type { AnyActorLogic } from 'xstate'
import { loadMessages } from '../i18n/i18n.ts'
import type { RouteName } from '../machines/app/routes.ts'
import type { Page, PageLoader } from './page.ts'
import { page as signIn } from './session/sign-in.ts'

/**
 * The pages that are opened most. Machine, actors and view of each are loaded with its file. Only the sign-in page, the
 * first that a visitor sees, is part of the main bundle.
 */
const loaders: Partial<Record<RouteName, PageLoader>> = {
  auth: async () => ({ page: signIn }),
  streams: () => import('./streams/streams.ts'),
  streamView: () => import('./player/player.ts'),
  mosaic: () => import('./mosaics/mosaic.ts'),
}

const loaderOf = async (name: RouteName): Promise<PageLoader | undefined> =>
  loaders[name] ?? (await import('./more-pages.ts')).loaders[name]

const loaded = new Map<RouteName, Page>()

/** Pages that don't need all messages (scripts/message-parts.ts). */
const parts: Partial<Record<RouteName, 'shell' | 'video'>> = { streams: 'shell', streamView: 'video', mosaic: 'video' }
const messagesOf = (name: RouteName): Promise<void> | undefined =>
  name === 'auth' ? undefined : loadMessages(parts[name] ?? 'pages')

/** Loads the code of a page and answers its machine, null without such a page; afterwards `viewOf` has its view. */
export async function loadPage(name: RouteName): Promise<AnyActorLogic | null> {
  const [loading] = await Promise.all([loaderOf(name).then((load) => load?.()), messagesOf(name)])
  if (loading === undefined) return null
  loaded.set(name, loading.page)
  return loading.page.logic
}

export const logicOf = (name: RouteName): AnyActorLogic | undefined => loaded.get(name)?.logic

export const viewOf = (name: RouteName): Page['View'] | undefined => loaded.get(name)?.View
