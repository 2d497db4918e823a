import type { AnyActorRef, AnyActorLogic } from 'xstate'
import type { Configuration, Settings } from '../../api/contract/settings.ts'
import type { User } from '../../api/contract/user.ts'
import type { clipsMachine } from '../clips/clips.machine.ts'
import type { ClipsRef } from '../clips/clips.selectors.ts'
import type { Dismissals } from '../health/health.machine.ts'
import type { paletteMachine } from '../palette/palette.machine.ts'
import type { PaletteRef } from '../palette/palette.selectors.ts'
import type { Destination } from './destination.ts'
import type { Params, RouteMatch } from './routes.ts'

export interface Address {
  pathname: string
  search: string
  hash: string
}

/** A newer console, by the deployment's version check (docs/behaviour.md §2). */
export interface NewVersion {
  version: string
  url: string
}

export type Theme = 'system' | 'dark' | 'light'

/** Where single-key shortcuts work: on the whole page, or only in a player that has the focus (WCAG 2.1.4). */
export type KeyReach = 'page' | 'focus'

/** What a page is about, shown in the header and the toolbar. */
export interface Subject {
  kind: 'stream' | 'mosaic' | 'user'
  id: string
  name: string
  canAdmin: boolean
}

/** Stored by this browser. */
interface StoredState {
  destination: Destination | null
  language: string
  theme: Theme
  keyReach: KeyReach
  wasSignedIn: boolean
  /** Kept over a reload: only the answer to the sign-in may say so. */
  mustChangePassword: boolean
}

/** The input of every page machine; `params` are the parameters of its route. */
export interface PageInput {
  params: Params
  address: Address
  settings: Settings
  configuration: Configuration
  user: User | null
}

export interface AppInput extends StoredState {
  address: Address
  isShared: boolean
  dismissals: Dismissals
  /** In use until they are fetched. */
  defaults: { configuration: Configuration; settings: Settings }
}

export interface AppContext extends StoredState {
  address: Address
  route: RouteMatch
  configuration: Configuration
  settings: Settings
  /** The request for the configuration was answered, if only with a 404. */
  isConfigured: boolean
  hasSettings: boolean
  dismissals: Dismissals
  user: User | null
  /** The server answered who is signed in, or that nobody is. */
  isIdentified: boolean
  /** The server has no users yet, by its settings or an answer of 423 (docs/behaviour.md §2). */
  isLocked: boolean
  /**
   * What decides `isLocked` (docs/behaviour.md §2): the settings; after an answer of 423, that answer; once server
   * initialization has succeeded, that, until the next 423.
   */
  lockSource: 'settings' | 'answer' | 'initialization'
  /** The current navigation leads to the destination, which is cleared on arrival. */
  isDestinationUsed: boolean
  /** A signed-out visitor came with a share token (docs/wire.md §5.2, share). */
  isShared: boolean
  subject: Subject | null
  newVersion: NewVersion | null
  /** The server was updated since the console was loaded, which may lack code by now. */
  isServerUpdated: boolean
  /** The machine of the current page, once its code is loaded, and the actor that runs it. */
  pageLogic: AnyActorLogic | null
  page: AnyActorRef | null
  /** Machines that outlive pages; null until their code is loaded. */
  palette: PaletteRef | null
  clips: ClipsRef | null
  lastPublished: PublishedState
}

/** The part of the context that the document, the browser's storage and the machines that outlive pages follow. */
export type PublishedState = Omit<StoredState, 'wasSignedIn'> &
  Pick<AppContext, 'user' | 'settings' | 'configuration' | 'hasSettings'>

export interface AppearanceChanged {
  type: 'appearance.changed'
  state: PublishedState
}

export type AppEvent =
  /** `isOfPage`: the page itself wrote the address. */
  | { type: 'location.changed'; address: Address; isOfPage?: boolean }
  /** The settings are fetched, or their request has failed. */
  | { type: 'boot.settled' }
  | { type: 'navigation.requested'; href: string }
  /** The user has signed in; the root machine fetches the user next. */
  | { type: 'session.opened'; mustChangePassword: boolean }
  | { type: 'session.started'; user: User }
  /** Another tab has signed in, for all tabs. */
  | { type: 'session.replaced'; login: string }
  /** The user asks to sign out. */
  | { type: 'session.closeRequested' }
  /** No form has unsaved work, or its loss was confirmed. */
  | { type: 'session.closeGranted' }
  /** A call answered 401, or 423. */
  | { type: 'wire.unauthorized' }
  | { type: 'wire.locked' }
  | { type: 'server.initialized' }
  | { type: 'settings.outdated' }
  | { type: 'server.missed' }
  | { type: 'server.answered' }
  | { type: 'server.updated' }
  | { type: 'reload.requested' }
  /** As the server answers. */
  | { type: 'user.changed'; user: User }
  /** What the page has changed; the menu may have changed the language since it opened. */
  | { type: 'user.patched'; changes: Partial<User> }
  | { type: 'password.changed' }
  /** The required second factor is turned on, and its recovery codes are saved. */
  | { type: 'factor.added' }
  | { type: 'language.chosen'; language: string }
  | { type: 'theme.chosen'; theme: Theme }
  | { type: 'keyReach.chosen'; keyReach: KeyReach }
  | { type: 'page.described'; subject: Subject }
  | { type: 'version.found'; newVersion: NewVersion }
  | { type: 'page.missing' }
  | { type: 'page.retried' }
  /** The code of the command palette or of the downloads is loaded; from then on the root runs the machine. */
  | { type: 'palette.loaded'; logic: typeof paletteMachine }
  | { type: 'clips.loaded'; logic: typeof clipsMachine }
  /** XState's own event: a child machine threw. Unhandled, it would stop the root machine too. */
  | { type: `xstate.error.actor.${string}`; actorId: string; error: unknown }
