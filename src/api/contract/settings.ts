import * as z from 'zod/mini'
import { flag, list, numberOr, orElse, positiveOr, text, textExtension } from './wire.ts'

/** GET /ui/config.json: the static document of a deployment, every field optional (docs/wire.md §4.1). */
export const Configuration = z.object({
  apiBaseUrl: text,
  appTitle: text,
  appLogo: text,
  defaultLanguage: text,
  serverSwitcherEnabled: flag,
  servers: list(z.object({ name: text, url: text })),
  pricingUrl: text,
  versionCheckUrl: text,
})
export type Configuration = z.output<typeof Configuration>

/** An empty list is like an absent one (docs/wire.md §1). */
const locations = orElse(z.array(z.string()).check(z.minLength(1)), ['default'])

/** GET /v1/system/internal/ui/settings, with the defaults of docs/behaviour.md §15. `language` only when signed in. */
export const Settings = z.object({
  isEnterprise: flag,
  isLocked: flag,
  isLicenseExpired: flag,
  prober: flag,
  revision: text,
  version: text,
  appTitle: text,
  appLogo: text,
  defaultLanguage: text,
  language: text,
  archiveDownloadMaxSeconds: positiveOr(3600),
  playlistMaxSeconds: positiveOr(604_800),
  rangesMaxSeconds: positiveOr(10_800),
  archiveMaxDepthHours: numberOr(-1),
  smtpServerEnabled: flag,
  smtpServerHost: text,
  smtpServerPort: numberOr(0),
  smtpServerProtected: flag,
  documentation: text,
  site: text,
  features: list(z.string()),
  passwordResetAllowed: flag,
  tunnelLocations: z._default(locations, ['default']),
  productType: text,
  clusterEnabled: flag,
  nodeId: text,
  /** The IANA name of the server's time zone; empty if unknown. */
  timezone: textExtension,
  kioskPrefillUser: text,
  kioskPrefillPassword: text,
  /** Of the single sign-on provider (feature `oidc`). */
  oidcName: textExtension,
})
export type Settings = z.output<typeof Settings>
