import { fromCallback, fromPromise } from 'xstate'
import { setBaseUrl, watchApiErrors } from '../api/call.ts'
import { parse } from '../api/decode.ts'
import { isOutdated } from '../api/browser/build.ts'
import { currentAddress } from '../api/browser/location.ts'
import { readStored, watchStored, writeStored } from '../api/browser/storage.ts'
import { Configuration, Settings } from '../api/contract/settings.ts'
import type { User } from '../api/contract/user.ts'
import type { Reply } from '../api/reply.ts'
import { getCurrentUser, patchCurrentUser, signOut } from '../api/resources/session.ts'
import { getConfiguration, getHealth, getSettings, getVersionCheck } from '../api/resources/system.ts'
import { activate, chooseLanguage } from '../i18n/i18n.ts'
import type { AppEvent, AppInput, Theme, PublishedState } from '../machines/app/app.events.ts'
import { appMachine } from '../machines/app/app.machine.ts'
import { bootMachine } from '../machines/app/boot.machine.ts'
import { readDestination } from '../machines/app/destination.ts'
import { type RouteName, matchRoute } from '../machines/app/routes.ts'
import { type Dismissals, healthMachine, mergedDismissals } from '../machines/health/health.machine.ts'
import { loadShell } from '../views/app/shell.tsx'
import { appearance } from './shell/appearance.ts'
import { knownOrFetch } from './shared/known-or-fetch.ts'
import { registerServiceWorker } from './shell/register-service-worker.ts'
import { location } from './shell/location.ts'
import { loadPage, logicOf } from './pages.ts'
import { visibility } from './shared/visibility.ts'

const keys = {
  destination: 'post-login-destination',
  language: 'language',
  theme: 'theme',
  keyReach: 'key-reach',
  dismissals: 'local-warnings',
  /** The login whose password is due; true until it is known. */
  mustChangePassword: 'must-change-password',
  /** The login. */
  signedIn: 'signed-in-here',
} as const

const fetchConfiguration = fromPromise<Reply<Configuration>>(async ({ signal }) => {
  const reply = await getConfiguration(signal)
  if (reply.ok) setBaseUrl(reply.value.apiBaseUrl)
  return reply
})
const fetchSettings = fromPromise<Reply<Settings>>(({ signal }) => getSettings(signal))
const fetchUser = fromPromise<Reply<User>>(({ signal }) => getCurrentUser(signal))

export const app = appMachine.provide({
  actors: {
    boot: bootMachine.provide({
      actors: {
        fetchConfiguration,
        fetchSettings,
        fetchUser,
      },
    }),
    health: healthMachine.provide({
      actors: {
        checkHealth: fromPromise(async ({ signal }) => {
          const reply = await getHealth(signal)
          return { reply, at: Date.now(), isOutdated: reply.ok && (await isOutdated(reply.value.build, signal)) }
        }),
        visibility,
      },
      actions: { persistDismissals: (_args, { dismissals }) => storeDismissals(dismissals) },
    }),
    fetchConfiguration,
    fetchSettings,
    fetchUser,
    signOut: fromPromise(({ signal }) => signOut(signal)),
    saveLanguage: fromPromise(({ input, signal }) => patchCurrentUser({ language: input.language }, signal)),
    loadPage: knownOrFetch(
      ({ name }) => logicOf(name),
      ({ name }) => loadPage(name),
    ),
    appearance,
    registerServiceWorker,
    location,
    checkVersion: fromCallback<AppEvent, { url: string }>(({ input: { url }, sendBack }) => {
      if (url === '') return undefined
      const controller = new AbortController()
      void getVersionCheck(url, controller.signal)
        .then((reply) => (reply.ok ? sendBack({ type: 'version.found', newVersion: reply.value }) : undefined))
        .catch(() => undefined)
      return () => controller.abort()
    }),
    watchApiErrors: fromCallback<AppEvent>(({ sendBack }) =>
      watchApiErrors(({ status }, { path }) => {
        if (status === 423) sendBack({ type: 'wire.locked' })
        if (status === 401 && !path.startsWith('/v1/sign-in')) sendBack({ type: 'wire.unauthorized' })
      }),
    ),
    watchOtherTabs: fromCallback<AppEvent>(({ sendBack }) =>
      watchStored(keys.signedIn, () => {
        const login = readStored('local', keys.signedIn)
        if (typeof login === 'string') sendBack({ type: 'session.replaced', login })
      }),
    ),
  },
  actions: {
    reload: () => globalThis.location.reload(),
    scrollToTop: () => globalThis.scrollTo(0, 0),
    store: (_args, { before, after }) => storeChanges(before, after),
    reportError: (_args, { error }) => globalThis.console.error(error),
  },
})

export function appInput({ isShared }: { isShared: boolean }): AppInput {
  const language = readStored('local', keys.language)
  const signedIn = readStored('local', keys.signedIn)
  const due = readStored('session', keys.mustChangePassword)
  return {
    address: currentAddress(),
    isShared,
    destination: readDestination(readStored('session', keys.destination)),
    language: typeof language === 'string' ? language : '',
    theme: themeOf(readStored('local', keys.theme)),
    keyReach: readStored('local', keys.keyReach) === 'focus' ? 'focus' : 'page',
    wasSignedIn: signedIn !== null,
    mustChangePassword: due === true || (signedIn !== null && due === signedIn),
    dismissals: dismissalsOf(readStored('local', keys.dismissals)),
    defaults: { configuration: parse(Configuration, {}), settings: parse(Settings, {}) },
  }
}

const dismissalsOf = (stored: unknown): Record<string, number> =>
  typeof stored === 'object' && stored !== null
    ? Object.fromEntries(
        Object.entries(stored).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
      )
    : {}

/** Other tabs may have dismissed other warnings since this one was opened. */
function storeDismissals(dismissals: Dismissals): void {
  const stored = dismissalsOf(readStored('local', keys.dismissals))
  writeStored('local', keys.dismissals, mergedDismissals(dismissals, stored, Date.now()))
}

const themeOf = (stored: unknown): Theme => (stored === 'dark' || stored === 'light' ? stored : 'system')

/** Loads the code that the first screen most likely needs, while the server is asked who is signed in. */
export function preload({ address, language, wasSignedIn }: AppInput): void {
  const { name } = matchRoute(address.pathname)
  const likely: RouteName = wasSignedIn ? (name === 'main' ? 'streams' : name) : 'auth'
  void activate(chooseLanguage([language, ...navigator.languages])).catch(() => null)
  void loadPage(likely).catch(() => null)
  if (wasSignedIn) void loadShell().catch(() => null)
}

/** The login of a user whose password is due by the answer to the sign-in alone, as other tabs may change it. */
function dueOnlyBySignIn({ user, mustChangePassword }: PublishedState): string | true | null {
  if (!mustChangePassword || user?.mustChangePassword === true) return null
  return user === null ? true : user.name
}

function storeChanges(before: PublishedState, after: PublishedState): void {
  if (after.destination !== before.destination) writeStored('session', keys.destination, after.destination)
  if (after.language !== before.language)
    writeStored('local', keys.language, after.language === '' ? null : after.language)
  if (after.user?.name !== before.user?.name) writeStored('local', keys.signedIn, after.user?.name ?? null)
  if (after.mustChangePassword !== before.mustChangePassword || after.user !== before.user)
    writeStored('session', keys.mustChangePassword, dueOnlyBySignIn(after))
  if (after.theme !== before.theme) writeStored('local', keys.theme, after.theme === 'system' ? null : after.theme)
  if (after.keyReach !== before.keyReach)
    writeStored('local', keys.keyReach, after.keyReach === 'page' ? null : after.keyReach)
}
