import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { healthMachine } from '../health/health.machine.ts'
import type { notificationsMachine } from '../notifications/notifications.machine.ts'
import { isFactorDue } from './resolve-route.ts'
import { totpFeature } from '../profile/features.ts'
import { revocationFeature } from '../tokens/features.ts'
import type { appMachine } from './app.machine.ts'
import { isAbsent, isTunnelEnabled } from './open-pages.ts'
import { routeOf } from './routes.ts'

export type AppRef = ActorRefFrom<typeof appMachine>
type Snapshot = SnapshotFrom<typeof appMachine>

export const selectRoute = ({ context }: Snapshot) => context.route
export const selectAddress = ({ context }: Snapshot) => context.address
export const selectUser = ({ context }: Snapshot) => context.user
export const selectSettings = ({ context }: Snapshot) => context.settings
export const selectConfiguration = ({ context }: Snapshot) => context.configuration
export const selectNewVersion = ({ context }: Snapshot) => context.newVersion
export const selectIsServerUpdated = ({ context }: Snapshot) => context.isServerUpdated
export const selectSubject = ({ context }: Snapshot) => context.subject
export const selectMustChangePassword = ({ context }: Snapshot) => context.mustChangePassword
export const selectTheme = ({ context }: Snapshot) => context.theme
export const selectKeyReach = ({ context }: Snapshot) => context.keyReach
export const selectPage = ({ context }: Snapshot) => context.page
export const selectPalette = ({ context }: Snapshot) => context.palette
export const selectClips = ({ context }: Snapshot) => context.clips
export const selectNotifications = ({ children }: Snapshot): ActorRefFrom<typeof notificationsMachine> | undefined =>
  children.notifications
export const selectHealth = ({ children }: Snapshot): ActorRefFrom<typeof healthMachine> | undefined => children.health

/** Settings over configuration, then the built-in (docs/behaviour.md §2). */
export const selectAppTitle = ({ context: { settings, configuration } }: Snapshot) =>
  settings.appTitle || configuration.appTitle || 'Sightline'
export const selectAppLogo = ({ context: { settings, configuration } }: Snapshot) =>
  settings.appLogo || configuration.appLogo

/** The page that sells licences, from the configuration, else from the settings; '' if neither has one. */
export const selectPricingUrl = ({ context: { settings, configuration } }: Snapshot) =>
  configuration.pricingUrl || settings.site

/** Read-only users cannot add streams (docs/behaviour.md §1). */
export const selectCanAddStream = ({ context: { user } }: Snapshot) =>
  user !== null && (user.isAdmin || user.maxStreamCreation !== 0)

export const selectIsAdmin = ({ context: { user } }: Snapshot) => user?.isAdmin === true

/** Header and tool bar: a user is loaded, and the page is a known one that has a header (docs/behaviour.md §4.1). */
export const selectHasShell = ({ context: { user, route, settings } }: Snapshot) =>
  user !== null && routeOf(route.name).header !== 'none' && !isAbsent(route.name, settings)

export type PageState = 'booting' | 'busy' | 'forbidden' | 'missing' | 'broken' | 'active'

export function selectPageState(snapshot: Snapshot): PageState {
  if (snapshot.matches('booting')) return 'booting'
  if (snapshot.matches({ running: { page: 'active' } })) return 'active'
  if (snapshot.matches({ running: { page: 'forbidden' } })) return 'forbidden'
  if (snapshot.matches({ running: { page: 'missing' } })) return 'missing'
  if (snapshot.matches({ running: { page: 'broken' } })) return 'broken'
  return 'busy'
}

export const selectIsTunnelEnabled = ({ context: { settings } }: Snapshot) => isTunnelEnabled(settings)

export const selectIsFactorDue = ({ context }: Snapshot) => isFactorDue(context.user)

export const selectIsTotpOffered = ({ context: { settings } }: Snapshot) => settings.features.includes(totpFeature)

export const selectHasTokenRevocation = ({ context: { settings } }: Snapshot) =>
  settings.features.includes(revocationFeature)
