import { createActor, fromCallback, fromPromise, SimulatedClock, type AnyActorLogic, type AnyEventObject } from 'xstate'
import type { Configuration, Settings } from '../../src/api/contract/settings.ts'
import type { Health } from '../../src/api/contract/health.ts'
import type { User } from '../../src/api/contract/user.ts'
import type { Reply } from '../../src/api/reply.ts'
import type { AppEvent, AppInput, PageInput } from '../../src/machines/app/app.events.ts'
import { appMachine } from '../../src/machines/app/app.machine.ts'
import type { LocationCommand } from '../../src/machines/app/location.events.ts'
import { bootMachine } from '../../src/machines/app/boot.machine.ts'
import { healthMachine } from '../../src/machines/health/health.machine.ts'
import { configurationOf, healthOf, ok, refused, settingsOf, userOf } from '../fixtures/replies.ts'
import { settle } from './settle.ts'

type Answer<T> = Reply<T> | Promise<Reply<T>>

/** The answers of the server and of the pages' code; tests change the members. */
export interface World {
  configuration: () => Answer<Configuration>
  settings: () => Answer<Settings>
  health: () => Answer<Health>
  user: () => Answer<User>
  signOut: () => Answer<object>
  saveLanguage: (language: string) => Answer<object>
  page: (name: string) => AnyActorLogic | null | Promise<AnyActorLogic | null>
}

export const never = (): Promise<never> => new Promise(() => undefined)
export const unauthorized = () => refused(401, 'AuthorizationRequired')

const addressOf = (href: string) => {
  const { pathname, search, hash } = new URL(href, 'https://console.example')
  return { pathname, search, hash }
}

const defaults = { configuration: configurationOf(), settings: settingsOf() }

export const inputOf = (href: string, input: Partial<AppInput> = {}): AppInput => ({
  address: addressOf(href),
  isShared: false,
  destination: null,
  language: '',
  theme: 'system',
  keyReach: 'page',
  wasSignedIn: false,
  mustChangePassword: false,
  dismissals: {},
  defaults,
  ...input,
})

/**
 * The root machine with fake actors that a test controls. `calls`: the requests in order; `steps`: the visited
 * addresses (`=` before those without a history entry); `pages`: the inputs, stops and events of pages.
 */
export function startConsole(href: string, world: Partial<World> = {}, input: Partial<AppInput> = {}) {
  const answers: World = {
    configuration: () => ok(configurationOf()),
    settings: () => ok(settingsOf()),
    health: () => ok(healthOf()),
    user: () => ok(userOf()),
    signOut: () => ok({}),
    saveLanguage: () => ok({}),
    page: () => null,
    ...world,
  }
  const calls: string[] = []
  const aborted: string[] = []
  const steps: string[] = []
  const pages: string[] = []
  const scrolls = { count: 0 }
  const reloads = { count: 0 }
  const outside = new Set<(event: AppEvent) => void>()
  const clock = new SimulatedClock()
  const asked = <T>(name: string, answer: () => Answer<T>, signal: AbortSignal): Answer<T> => {
    calls.push(name)
    signal.addEventListener('abort', () => aborted.push(name))
    return answer()
  }
  const fetchConfiguration = fromPromise<Reply<Configuration>>(async ({ signal }) =>
    asked('configuration', answers.configuration, signal),
  )
  const fetchSettings = fromPromise<Reply<Settings>>(async ({ signal }) => asked('settings', answers.settings, signal))
  const fetchUser = fromPromise<Reply<User>>(async ({ signal }) => asked('user', answers.user, signal))
  const recorded = (name: string) =>
    fromCallback<AnyEventObject, PageInput>(({ input: page, receive }) => {
      const { uid = '', login = '', id = '' } = page.params
      pages.push(`${name}${uid}${login}${id} started for ${page.user?.name ?? 'nobody'}`)
      receive((event) =>
        pages.push(`${name} got ${event.type} ${event['address']?.search ?? ''}${event['address']?.hash ?? ''}`),
      )
      return () => pages.push(`${name} stopped`)
    })
  const location = fromCallback<LocationCommand>(({ sendBack, receive }) => {
    outside.add(sendBack)
    receive((command) => {
      if (command.type === 'leave.requested') sendBack({ type: 'session.closeGranted' })
      if (command.type !== 'location.written') return
      steps.push(command.replace ? `=${command.href}` : command.href)
      go(command.href)
    })
    return () => outside.delete(sendBack)
  })
  const go = (to: string) => outside.forEach((send) => send({ type: 'location.changed', address: addressOf(to) }))
  const machine = appMachine.provide({
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
          checkHealth: fromPromise(async ({ signal }) => ({
            reply: await asked('health', answers.health, signal),
            at: clock.now(),
            isOutdated: false,
          })),
        },
      }),
      fetchConfiguration,
      fetchSettings,
      fetchUser,
      signOut: fromPromise(async ({ signal }) => asked('sign-out', answers.signOut, signal)),
      saveLanguage: fromPromise(async ({ input: { language }, signal }) =>
        asked(`language ${language}`, () => answers.saveLanguage(language), signal),
      ),
      loadPage: fromPromise(async ({ input: { name } }) => (await answers.page(name)) ?? recorded(name)),
      location,
      checkVersion: fromCallback(({ input: { url } }) => {
        if (url !== '') calls.push(`version ${url}`)
      }),
      watchApiErrors: fromCallback<AppEvent>(() => undefined),
    },
    actions: {
      scrollToTop: () => (scrolls.count += 1),
      reload: () => (reloads.count += 1),
    },
  })
  const actor = createActor(machine, { input: inputOf(href, input), clock, systemId: 'app' }).start()
  const context = () => actor.getSnapshot().context
  return {
    actor,
    answers,
    clock,
    calls,
    aborted,
    steps,
    pages,
    scrolls,
    reloads,
    context,
    go: async (to: string) => {
      go(to)
      await settle()
    },
    send: async (event: AppEvent) => {
      actor.send(event)
      await settle()
    },
    where: () => context().address.pathname + context().address.search,
    toasts: () =>
      actor
        .getSnapshot()
        .children.notifications?.getSnapshot()
        .context.shown.map(({ code }) => code) ?? [],
    state: () => actor.getSnapshot().value,
  }
}
