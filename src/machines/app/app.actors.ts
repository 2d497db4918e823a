import { type AnyActorLogic, fromCallback, fromPromise } from 'xstate'
import type { Configuration, Settings } from '../../api/contract/settings.ts'
import type { User } from '../../api/contract/user.ts'
import type { Reply } from '../../api/reply.ts'
import { healthMachine } from '../health/health.machine.ts'
import { notProvided } from '../not-provided.ts'
import { notificationsMachine } from '../notifications/notifications.machine.ts'
import { bootMachine } from './boot.machine.ts'
import type { AppearanceChanged, AppEvent, PublishedState } from './app.events.ts'
import type { LocationCommand } from './location.events.ts'
import type { RouteName } from './routes.ts'

export const appActors = {
  boot: bootMachine,
  notifications: notificationsMachine,
  health: healthMachine,
  fetchConfiguration: fromPromise<Reply<Configuration>>(notProvided),
  fetchSettings: fromPromise<Reply<Settings>>(notProvided),
  fetchUser: fromPromise<Reply<User>>(notProvided),
  signOut: fromPromise<Reply<object>>(notProvided),
  saveLanguage: fromPromise<Reply<object>, { language: string }>(notProvided),
  /** Loads the code of a page and returns its machine; null for a page without one. */
  loadPage: fromPromise<AnyActorLogic | null, { name: RouteName }>(notProvided),
  /** Applies the theme and the language to the document. */
  appearance: fromCallback<AppearanceChanged, PublishedState>(() => undefined),
  /** Registers the service worker 30 s after a user is first known (docs/architecture.md, Without the server). */
  registerServiceWorker: fromCallback<{ type: 'user.switched' }>(() => undefined),
  location: fromCallback<LocationCommand>(() => undefined),
  /** Fetches `versionCheckUrl` once, if it is configured; ignores failures. */
  checkVersion: fromCallback<AppEvent, { url: string }>(() => undefined),
  watchApiErrors: fromCallback<AppEvent>(() => undefined),
  /** Reports who signs in in another tab. */
  watchOtherTabs: fromCallback<AppEvent>(() => undefined),
}
