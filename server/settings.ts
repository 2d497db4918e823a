import type { Configuration } from './configuration/configuration.ts'
import type { ConfigurationValues } from './configuration/values.ts'
import type { ServerSettings } from './context.ts'
import { version } from './version.ts'

const settingsOf = ({ limits, storage, sources, audit }: ConfigurationValues) => ({
  ...limits,
  ...storage,
  allowLoopbackSources: sources.allowLoopback,
  isAudited: audit.isEnabled,
})

type Fixed = {
  settings?: Partial<Pick<ServerSettings, 'demo' | 'nodeId'>>
  cluster?: { nodeId: string }
  oidc?: { name: string }
}

/** The settings of a server, which follow its configuration. */
export const createSettings = (
  configuration: Configuration,
  { settings: given, cluster, oidc }: Fixed,
): ServerSettings => {
  const settings: ServerSettings = {
    version,
    nodeId: cluster?.nodeId ?? 'local',
    demo: false,
    oidcName: oidc?.name ?? '',
    ...settingsOf(configuration.values()),
    ...given,
  }
  configuration.watch((values) => Object.assign(settings, settingsOf(values)))
  return settings
}
