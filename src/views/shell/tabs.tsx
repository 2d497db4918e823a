import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import {
  Activity,
  BellRing,
  Bookmark,
  Bug,
  ChartSpline,
  Cable,
  FileArchive,
  FileText,
  Grid2x2,
  Group,
  IdCard,
  Info,
  KeyRound,
  LifeBuoy,
  Map as MapIcon,
  MonitorSmartphone,
  Network,
  Pencil,
  Play,
  ScanSearch,
  ScrollText,
  Settings,
  SlidersHorizontal,
  UserCog,
  Users,
  Video,
} from 'lucide-react'
import type { ReactNode } from 'react'
import {
  selectIsTunnelEnabled,
  selectRoute,
  selectSettings,
  selectSubject,
  selectUser,
} from '../../machines/app/app.selectors.ts'
import { closedPages, isAbsent } from '../../machines/app/open-pages.ts'
import { type RouteName, type TabSet, pathTo, routeOf } from '../../machines/app/routes.ts'
import { useApp } from '../app/console.ts'

interface Tab {
  name: RouteName
  label: MessageDescriptor
  icon: ReactNode
}

const size = 20

/** The contextual tabs of each set of pages (docs/behaviour.md §4.1, toolbar). */
const tabSets: Readonly<Record<TabSet, readonly Tab[]>> = {
  workspace: [
    { name: 'mosaics', label: msg`Mosaics`, icon: <Grid2x2 size={size} /> },
    { name: 'plans', label: msg`Plans`, icon: <MapIcon size={size} /> },
    { name: 'bookmarks', label: msg`Bookmarks`, icon: <Bookmark size={size} /> },
    { name: 'events', label: msg`Events`, icon: <ScanSearch size={size} /> },
    { name: 'exports', label: msg`Exports`, icon: <FileArchive size={size} /> },
    { name: 'help', label: msg`Help`, icon: <LifeBuoy size={size} /> },
  ],
  stream: [
    { name: 'streamView', label: msg`Watch`, icon: <Play size={size} /> },
    { name: 'streamInfo', label: msg`Info`, icon: <Info size={size} /> },
    { name: 'streamSettings', label: msg`Settings`, icon: <Settings size={size} /> },
    { name: 'streamPermissions', label: msg`Permissions`, icon: <Users size={size} /> },
    { name: 'streamDebug', label: msg`Debug`, icon: <Bug size={size} /> },
  ],
  mosaic: [
    { name: 'mosaics', label: msg`Mosaics`, icon: <Grid2x2 size={size} /> },
    { name: 'mosaic', label: msg`Watch`, icon: <Play size={size} /> },
    { name: 'mosaicEdit', label: msg`Settings`, icon: <Settings size={size} /> },
  ],
  profile: [
    { name: 'profileInfo', label: msg`Info`, icon: <IdCard size={size} /> },
    { name: 'profileEdit', label: msg`Edit`, icon: <Pencil size={size} /> },
    { name: 'tokens', label: msg`Tokens`, icon: <KeyRound size={size} /> },
    { name: 'sessions', label: msg`Sessions`, icon: <MonitorSmartphone size={size} /> },
  ],
  user: [
    { name: 'userInfo', label: msg`Info`, icon: <IdCard size={size} /> },
    { name: 'userEdit', label: msg`Edit`, icon: <UserCog size={size} /> },
    { name: 'userPermission', label: msg`Permissions`, icon: <Video size={size} /> },
    { name: 'userSessions', label: msg`Sessions`, icon: <MonitorSmartphone size={size} /> },
  ],
  administration: [
    { name: 'statistics', label: msg`Statistics`, icon: <ChartSpline size={size} /> },
    { name: 'configuration', label: msg`Configuration`, icon: <SlidersHorizontal size={size} /> },
    { name: 'users', label: msg`Users`, icon: <Users size={size} /> },
    { name: 'groups', label: msg`Groups`, icon: <Group size={size} /> },
    { name: 'cluster', label: msg`Cluster`, icon: <Network size={size} /> },
    { name: 'license', label: msg`License`, icon: <FileText size={size} /> },
    { name: 'serverDebug', label: msg`Server debug`, icon: <Activity size={size} /> },
    { name: 'tunnel', label: msg`Tunnel`, icon: <Cable size={size} /> },
    { name: 'alerts', label: msg`Alerts`, icon: <BellRing size={size} /> },
    { name: 'auditLogs', label: msg`Audit logs`, icon: <ScrollText size={size} /> },
  ],
}

interface ShownTab extends Omit<Tab, 'label'> {
  label: string
  href: string
  isDisabled: boolean
  /** `page`: it leads to the page itself; `true`: to the page that this one belongs to. */
  current: 'page' | 'true' | undefined
}

/** The tabs of the current page; none if only administrators may see the page. */
export function useTabs(): readonly ShownTab[] {
  const { t } = useLingui()
  const route = useApp(selectRoute)
  const subject = useApp(selectSubject)
  const user = useApp(selectUser)
  const settings = useApp(selectSettings)
  const isTunnelEnabled = useApp(selectIsTunnelEnabled)
  const { tabs, entry, within } = routeOf(route.name)
  if (tabs === undefined || (entry === 'admin' && user?.isAdmin !== true)) return []
  const closed = closedPages({ user, settings, isTunnelEnabled, subject })
  const there = tabSets[tabs].filter(({ name }) => !isAbsent(name, settings))
  return there.map(({ label, ...tab }) => ({
    ...tab,
    label: t(label),
    href: pathTo(tab.name, route.params),
    isDisabled: closed[tab.name] === true,
    current: tab.name === route.name ? 'page' : tab.name === within ? 'true' : undefined,
  }))
}
