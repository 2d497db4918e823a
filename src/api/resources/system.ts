import { call } from '../call.ts'
import { Configuration, Settings } from '../contract/settings.ts'
import { Health, VersionCheck } from '../contract/health.ts'

/** GET /ui/config.json, beside the console itself (docs/wire.md §4.1). */
export const getConfiguration = (signal?: AbortSignal) => call(Configuration, { path: '/ui/config.json', signal })

export const getSettings = (signal?: AbortSignal) => call(Settings, { path: '/v1/system/internal/ui/settings', signal })

export const getHealth = (signal?: AbortSignal) => call(Health, { path: '/v1/system/health', signal })

/** The deployment's version check, at whatever address its configuration names. */
export const getVersionCheck = (url: string, signal?: AbortSignal) => call(VersionCheck, { path: url, signal })
