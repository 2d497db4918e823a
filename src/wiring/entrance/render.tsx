import { renderToString } from 'react-dom/server'
import { type AnyActorLogic, createActor, fromPromise, waitFor } from 'xstate'
import { consolePath } from '../../api/console-path.ts'
import { parse } from '../../api/decode.ts'
import { Configuration, Settings } from '../../api/contract/settings.ts'
import type { User } from '../../api/contract/user.ts'
import { activate } from '../../i18n/i18n.ts'
import { type Reply, noResponse } from '../../api/reply.ts'
import { appMachine } from '../../machines/app/app.machine.ts'
import { bootMachine } from '../../machines/app/boot.machine.ts'
import { type Checked, healthMachine } from '../../machines/health/health.machine.ts'
import type { RouteName } from '../../machines/app/routes.ts'
import { passkeyFeature } from '../../machines/profile/features.ts'
import { signInMachine } from '../../machines/session/sign-in.machine.ts'
import { ConsoleRoot } from '../../views/app/ConsoleRoot.tsx'
import { SignInPage } from '../../views/sign-in/SignInPage.tsx'
import { definePage } from '../page.ts'

export { languages } from '../../i18n/i18n.ts'

const page = definePage({ logic: signInMachine, View: SignInPage })
const ok = <T,>(value: T): Reply<T> => ({ ok: true, value, retryAfterSeconds: null })
const signedOut: Reply<never> = { ok: false, apiError: { ...noResponse, status: 401, code: 'AuthorizationRequired' } }
const never = () => new Promise<never>(() => undefined)

interface Variant {
  language: string
  title: string
  hasPasskeys: boolean
  canReset: boolean
}

/**
 * The HTML of the sign-in page as the console renders it first; a build runs this in Node. The page is rendered from
 * the console's own machines and views, so that React can hydrate it (take-over.ts).
 */
export async function renderEntrance({ language, title, hasPasskeys, canReset }: Variant): Promise<string> {
  const configuration = parse(Configuration, {})
  const settings = parse(Settings, {
    appTitle: title,
    features: hasPasskeys ? [passkeyFeature] : [],
    passwordResetAllowed: canReset,
  })
  await activate(language)
  const address = { pathname: '/auth', search: '', hash: '' }
  /** Links read `location`, which Node doesn't have. */
  if (!('location' in globalThis))
    Object.assign(globalThis, { location: { ...address, pathname: `${consolePath}/auth` } })
  const app = createActor(
    appMachine.provide({
      actors: {
        boot: bootMachine.provide({
          actors: {
            fetchConfiguration: fromPromise<Reply<Configuration>>(async () => ok(configuration)),
            fetchSettings: fromPromise<Reply<Settings>>(async () => ok(settings)),
            fetchUser: fromPromise<Reply<User>>(async () => signedOut),
          },
        }),
        health: healthMachine.provide({
          actors: { checkHealth: fromPromise<Checked>(never) },
        }),
        loadPage: fromPromise<AnyActorLogic | null, { name: RouteName }>(async () => page.logic),
      },
    }),
    {
      systemId: 'app',
      input: {
        address,
        isShared: false,
        destination: null,
        language,
        theme: 'system',
        keyReach: 'page',
        wasSignedIn: false,
        mustChangePassword: false,
        dismissals: {},
        defaults: { configuration, settings },
      },
    },
  ).start()
  await waitFor(app, (snapshot) => snapshot.matches({ running: { page: 'active' } }))
  const html = renderToString(
    <ConsoleRoot
      value={{
        app,
        consolePath,
        viewOf: () => page.View,
        extras: never,
        copyText: never,
        saveText: () => undefined,
        whenIdle: () => undefined,
      }}
    />,
  )
  app.stop()
  return html
}
