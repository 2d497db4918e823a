import { msg } from '@lingui/core/macro'
import {
  Activity,
  BellRing,
  ChartSpline,
  Cable,
  FileText,
  Group,
  IdCard,
  KeyRound,
  MonitorSmartphone,
  Network,
  Pencil,
  ScrollText,
  SlidersHorizontal,
  UserCog,
  Users,
  Video,
} from 'lucide-react'
import type { TabSet } from '../../machines/app/routes.ts'
import type { Tab } from './tabs.tsx'

const size = 20

/** docs/behaviour.md §4.1, toolbar. */
export const tabSets: Readonly<Partial<Record<TabSet, readonly Tab[]>>> = {
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
