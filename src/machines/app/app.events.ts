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

/** From the deployment's version check (docs/behaviour.md §2). */
export interface NewVersion {
  version: string
  url: string
}

export type Theme = 'system' | 'dark' | 'light'

/** Where single keys act: on the whole page, or where the focus is in what they act on (WCAG 2.1.4). */
export type KeyReach = 'page' | 'focus'

export interface Subject {
  kind: 'stream' | 'mosaic' | 'user'
  id: string
  name: string
  canAdmin: boolean
}

export interface Kept {
  destination: Destination | null
  language: string
  theme: Theme
  keyReach: KeyReach
  wasSignedIn: boolean
}

/** What every page machine gets. `params` are those of its route. */
export interface PageInput {
  params: Params
  address: Address
  settings: Settings
  configuration: Configuration
  user: User | null
}

export interface AppInput extends Kept {
  address: Address
  isShared: boolean
  dismissals: Dismissals
  /** What an empty document of each reads as. */
  defaults: { configuration: Configuration; settings: Settings }
}

export interface AppContext extends Kept {
  address: Address
  route: RouteMatch
  configuration: Configuration
  settings: Settings
  isConfigured: boolean
  hasSettings: boolean
  dismissals: Dismissals
  user: User | null
  isIdentified: boolean
  /** The server has no users yet, by its settings or an answer of 423 (docs/behaviour.md §2). */
  isLocked: boolean
  /** A call answered 423, which only an unlock lifts, whatever the settings are (docs/behaviour.md §2). */
  hasAnsweredLocked: boolean
  mustChangePassword: boolean
  /** A signed-out visitor came with a share token (docs/wire.md §5.2, share). */
  isShared: boolean
  subject: Subject | null
  newVersion: NewVersion | null
  pageLogic: AnyActorLogic | null
  page: AnyActorRef | null
  /** What outlives the pages, from when its code has come. */
  palette: PaletteRef | null
  clips: ClipsRef | null
  lastSent: PublishedState
}

/** What goes to the document, to the browser's storage and to what outlives pages when it changes. */
export type PublishedState = Omit<Kept, 'wasSignedIn'> &
  Pick<AppContext, 'user' | 'settings' | 'configuration' | 'hasSettings'>

export interface AppearanceChanged {
  type: 'appearance.changed'
  now: PublishedState
}

export type AppEvent =
  /** `isOfPage`: the page itself wrote it. */
  | { type: 'location.changed'; address: Address; isOfPage?: boolean }
  | { type: 'boot.settled' }
  | { type: 'navigation.requested'; href: string }
  | { type: 'session.opened'; mustChangePassword: boolean }
  | { type: 'session.started'; user: User }
  | { type: 'session.closeRequested' }
  /** No form of the page would lose something by it, or not any more. */
  | { type: 'session.closeGranted' }
  | { type: 'wire.unauthorized' }
  | { type: 'wire.locked' }
  | { type: 'lock.lifted' }
  | { type: 'settings.outdated' }
  | { type: 'server.missed' }
  | { type: 'server.answered' }
  | { type: 'user.changed'; user: User }
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
  /** The code of the command palette, or of the downloads, has come; they run from the first time on. */
  | { type: 'palette.loaded'; logic: typeof paletteMachine }
  | { type: 'clips.loaded'; logic: typeof clipsMachine }
  /** The page's machine threw; xstate's own event, without which the root machine would end with it. */
  | { type: `xstate.error.actor.${string}`; actorId: string; error: unknown }
