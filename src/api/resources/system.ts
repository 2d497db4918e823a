import { consolePath } from '../console-path.ts'
import { call } from '../call.ts'
import { Configuration, Settings } from '../contract/settings.ts'
import { Health, VersionCheck } from '../contract/health.ts'

export const getConfiguration = (signal?: AbortSignal) =>
  call(Configuration, { path: `${consolePath}/config.json`, signal })

export const getSettings = (signal?: AbortSignal) => call(Settings, { path: '/v1/system/internal/ui/settings', signal })

export const getHealth = (signal?: AbortSignal) => call(Health, { path: '/v1/system/health', signal })

/** `url` may be of any host; without one it is relative to the console's own address, not to `apiBaseUrl`. */
export const getVersionCheck = async (url: string, signal?: AbortSignal) =>
  call(VersionCheck, { path: new URL(url, globalThis.location?.href).href, signal })
