import { type AnyActorLogic, assign, enqueueActions, raise, sendTo, setup, stopChild } from 'xstate'
import type { Configuration, Settings } from '../../api/contract/settings.ts'
import type { User } from '../../api/contract/user.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { isOutage, isRedirected, apiErrorOf } from '../api-errors.ts'
import { errorToast, raiseToast, withdrawErrors, withdrawToast } from '../notifications/toast.ts'
import { appActors } from './app.actors.ts'
import type {
  AppContext,
  AppearanceChanged,
  AppEvent,
  AppInput,
  KeyReach,
  NewVersion,
  PageInput,
  Subject,
  Theme,
  PublishedState,
} from './app.events.ts'
import type { Booted } from './boot.machine.ts'
import { isDestination } from './destination.ts'
import { afterNewPath, afterUnauthorized, afterUse } from './destination-updates.ts'
import { matchRoute } from './routes.ts'
import { resolveRoute } from './resolve-route.ts'

type Loaded<Type extends AppEvent['type']> = Extract<AppEvent, { type: Type }>

export const appSetup = setup({
  types: {
    context: {} as AppContext,
    events: {} as AppEvent,
    input: {} as AppInput,
    children: {} as {
      notifications: 'notifications'
      health: 'health'
      location: 'location'
      appearance: 'appearance'
      registerServiceWorker: 'registerServiceWorker'
    },
  },
  actors: appActors,
  actions: {
    /** Goes to a path below /ui; `replace` adds no history entry. */
    navigate: sendTo('location', (_args, { href, replace }: { href: string; replace: boolean }) => ({
      type: 'location.written',
      href,
      replace,
    })),
    askLeave: sendTo('location', { type: 'leave.requested' }),
    undoLeave: sendTo('location', { type: 'leave.failed' }),
    /** Provided by the wiring. */
    scrollToTop: () => undefined,
    /** Provided by the wiring: loads the console again. */
    reload: () => undefined,
    /** Provided by the wiring: stores in the browser what has changed. */
    store: (_args, _params: { before: PublishedState; after: PublishedState }) => undefined,
    /** Provided by the wiring: writes the error to the browser's console. */
    reportError: (_args, _params: { error: unknown }) => undefined,
    askHealth: sendTo('health', { type: 'health.checkRequested' }),
    assignBooted: assign(({ context }, { booted }: { booted: Booted }) => bootedContext(context, booted)),
    assignTheme: assign((_, { theme }: { theme: Theme }) => ({ theme })),
    assignKeyReach: assign((_, { keyReach }: { keyReach: KeyReach }) => ({ keyReach })),
    assignNewVersion: assign((_, { newVersion }: { newVersion: NewVersion }) => ({ newVersion })),
    assignSubject: assign((_, { subject }: { subject: Subject }) => ({ subject })),
    assignAddress: assign(({ context, event }) => {
      if (event.type !== 'location.changed') return {}
      const isNewPath = event.address.pathname !== context.address.pathname
      return { address: event.address, ...(isNewPath && { route: matchRoute(event.address.pathname), subject: null }) }
    }),
    rememberNewDestination: assign(({ context }) => afterNewPath(context)),
    rememberCurrentAddress: assign(({ context }) => afterUnauthorized(context)),
    forgetDestination: assign({ destination: null, isDestinationUsed: false }),
    /** After a redirect from sign-in, which leads to the destination (docs/behaviour.md §3). */
    forgetUsedDestination: assign(({ context }) =>
      context.route.name === 'auth' && context.user !== null ? afterUse(context) : {},
    ),
    forgetReachedDestination: assign(({ context }) => afterUse(context)),
    assignMustChangePassword: assign((_, { mustChangePassword }: { mustChangePassword: boolean }) => ({
      mustChangePassword,
    })),
    assignIdentity: assign(({ context: { mustChangePassword: isDue } }, { reply }: { reply: Reply<User> }) => {
      if (!reply.ok) return {}
      const { value: user } = reply
      return { user, isIdentified: true, mustChangePassword: isDue || user.mustChangePassword === true }
    }),
    assignUser: assign({ user: (_, { user }: { user: User }) => user, isIdentified: true }),
    patchUser: assign(({ context: { user } }, { changes }: { changes: Partial<User> }) => ({
      user: user === null ? null : { ...user, ...changes },
    })),
    dropUser: assign({ user: null, mustChangePassword: false, isIdentified: true }),
    assignLanguage: assign(({ context: { user, language }, event }) => {
      const chosen = event.type === 'language.chosen' ? event.language : language
      return { language: chosen, user: user === null ? null : { ...user, language: chosen } }
    }),
    markLocked: assign({ isLocked: true, lockSource: 'answer', user: null, mustChangePassword: false }),
    endPasswordChange: assign({ mustChangePassword: false }),
    /** Who signs out of a page opened by a share link leaves it, too. */
    endSharing: assign({ isShared: false }),
    markInitialized: assign({ isLocked: false, lockSource: 'initialization' }),
    assignConfiguration: assign((_, { reply }: { reply: Reply<Configuration> }) =>
      reply.ok ? { configuration: reply.value } : {},
    ),
    assignSettings: assign(({ context: { isLocked, lockSource } }, { reply }: { reply: Reply<Settings> }) => {
      if (!reply.ok) return {}
      const { value: settings } = reply
      return { settings, hasSettings: true, isLocked: lockSource === 'settings' ? settings.isLocked : isLocked }
    }),
    notifyAnswered: raise({ type: 'server.answered' }),
    assignPageLogic: assign((_, { logic }: { logic: AnyActorLogic | null }) => ({ pageLogic: logic })),
    startPage: assign({
      page: ({ context, spawn }) =>
        context.pageLogic === null ? null : spawn(context.pageLogic, { input: pageInput(context) }),
    }),
    stopPage: stopChild(({ context }) => context.page ?? 'page'),
    startPalette: assign({ palette: ({ spawn }, { logic }: Loaded<'palette.loaded'>) => spawn(logic) }),
    startClips: assign({ clips: ({ spawn }, { logic }: Loaded<'clips.loaded'>) => spawn(logic) }),
    markPublished: assign({ lastPublished: ({ context }) => publishedState(context) }),
    notifyAppearance: sendTo('appearance', ({ context }): AppearanceChanged => ({
      type: 'appearance.changed',
      state: publishedState(context),
    })),
    markUpdated: assign({ isServerUpdated: true }),
    forgetPage: assign({ page: null, subject: null }),
  },
  guards: {
    isNewPath: ({ context, event }) =>
      event.type === 'location.changed' && event.address.pathname !== context.address.pathname,
    isRedirect: ({ context }) => resolveRoute(context).kind === 'redirect',
    isForbidden: ({ context }) => resolveRoute(context).kind === 'forbidden',
    isNotForbidden: ({ context }) => resolveRoute(context).kind !== 'forbidden',
    isMissing: ({ context }) => resolveRoute(context).kind === 'missing',
    isNotMissing: ({ context }) => resolveRoute(context).kind !== 'missing',
    isNotPage: ({ context }) => resolveRoute(context).kind !== 'page',
    hasUser: ({ context }) => context.user !== null,
    isOtherUser: ({ context }, { login }: { login: string }) => context.user?.name !== login,
    hasNoUser: ({ context }) => context.user === null,
    isConfigured: ({ context }) => context.isConfigured,
    isOutage: (_, { reply }: { reply: Reply<unknown> }) => !reply.ok && isOutage(reply.apiError),
    isOk: (_, { reply }: { reply: Reply<unknown> }) => reply.ok,
    isUnauthorized: (_, { reply }: { reply: Reply<unknown> }) => apiErrorOf(reply).status === 401,
    hasSettings: ({ context }) => context.hasSettings,
    canIdentify: ({ context }) => context.hasSettings && !context.isIdentified,
    isGuest: ({ context }) => context.isShared && context.route.name === 'streamView',
    mustChangePassword: ({ context }) => context.mustChangePassword,
    hasNoPalette: ({ context }) => context.palette === null,
    hasNoClips: ({ context }) => context.clips === null,
    hasUnpublished: ({ context }) => {
      const published = new Map<string, unknown>(Object.entries(context.lastPublished))
      return Object.entries(publishedState(context)).some(([key, value]) => published.get(key) !== value)
    },
    isPageFailure: ({ context, event }) => 'actorId' in event && event.actorId === context.page?.id,
  },
}).extend({
  actions: {
    notifyAddress: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'location.changed' || event.isOfPage === true || context.page === null) return
      enqueue.sendTo(context.page, { type: 'address.changed', address: context.address })
    }),
    notifyUserSwitched: enqueueActions(({ context: { palette, clips, user, lastPublished }, enqueue }) => {
      if (user?.name === lastPublished.user?.name) return
      if (user !== null) enqueue.sendTo('registerServiceWorker', { type: 'user.switched' })
      if (palette !== null) enqueue.sendTo(palette, { type: 'user.switched' })
      if (clips !== null) enqueue.sendTo(clips, { type: 'user.switched' })
    }),
    /**
     * `code`: of an error that isn't shown yet, else ''. Only a page that has just signed in shows it: to any other
     * visitor, a 401 is no error.
     */
    notifySessionRefused: enqueueActions(({ context: { page }, enqueue }, { code }: { code: string }) => {
      if (page !== null) enqueue.sendTo(page, { type: 'session.refused', code })
    }),
    /** A kiosk often starts before its server: the sign-in page may be open when the settings arrive. */
    notifyPrefill: enqueueActions(({ context: { page, route, settings }, enqueue }) => {
      const { kioskPrefillUser: login, kioskPrefillPassword: password } = settings
      if (page === null || route.name !== 'auth' || (login === '' && password === '')) return
      enqueue.sendTo(page, { type: 'credentials.prefilled', login, password })
    }),
    closePalette: enqueueActions(({ context: { palette }, enqueue }) => {
      if (palette !== null) enqueue.sendTo(palette, { type: 'palette.dismissed' })
    }),
    withdrawSettingsFailure: enqueueActions((machine) => withdrawToast(machine, 'settings')),
    raiseApiError: enqueueActions((machine, { apiError }: { apiError: ApiError | null }) => {
      if (apiError === null || isRedirected(apiError)) return
      raiseToast(machine, errorToast(apiError))
    }),
    withdrawErrors: enqueueActions((machine) => withdrawErrors(machine)),
    raiseSettingsFailure: enqueueActions((machine, { apiError }: { apiError: ApiError | null }) => {
      if (apiError === null || !isOutage(apiError)) return
      raiseToast(machine, { tone: 'error', code: apiError.code || 'NoResponse', key: 'settings' })
    }),
  },
})

export const publishedState = ({
  user,
  settings,
  configuration,
  hasSettings,
  destination,
  language,
  theme,
  keyReach,
  mustChangePassword,
}: PublishedState): PublishedState => ({
  user,
  settings,
  configuration,
  hasSettings,
  destination,
  language,
  theme,
  keyReach,
  mustChangePassword,
})

function bootedContext(
  context: AppContext,
  { configuration, isConfigured, settings, settingsApiError, user, userApiError }: Booted,
): Partial<AppContext> {
  const hasAnsweredLocked = settingsApiError?.status === 423 || userApiError?.status === 423
  return {
    configuration: configuration ?? context.configuration,
    isConfigured,
    settings: settings ?? context.settings,
    hasSettings: settings !== null,
    user,
    // If the session ended while the console was closed, the current address replaces the older destination, unless it
    // is the sign-in page, to which a failed single sign-on leads back.
    destination: user === null && context.wasSignedIn && isDestination(context.route.name) ? null : context.destination,
    mustChangePassword:
      !hasAnsweredLocked &&
      userApiError?.status !== 401 &&
      (context.mustChangePassword || user?.mustChangePassword === true),
    isIdentified: user !== null || userApiError?.status === 401,
    isLocked: hasAnsweredLocked || settings?.isLocked === true,
    lockSource: hasAnsweredLocked ? 'answer' : 'settings',
  }
}

function pageInput({ route, address, settings, configuration, user }: AppContext): PageInput {
  return { params: route.params, address, settings, configuration, user }
}
