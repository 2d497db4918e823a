import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import {
  Bookmark,
  Bug,
  FileArchive,
  Grid2x2,
  Info,
  LifeBuoy,
  Map as MapIcon,
  Play,
  ScanSearch,
  Settings,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { withMessages } from '../../i18n/i18n.ts'
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
import { deferred, useDeferred } from '../ui/deferred.ts'

export interface Tab {
  name: RouteName
  label: MessageDescriptor
  icon: ReactNode
}

const size = 20

/** The tabs of pages that few users open first: their code is loaded with such a page. */
const moreTabs = deferred(() => withMessages(import('./more-tabs.tsx')))

/** The contextual tabs of each set of pages (docs/behaviour.md §4.1, toolbar). */
const tabSets: Readonly<Partial<Record<TabSet, readonly Tab[]>>> = {
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
  const known = tabs === undefined ? [] : tabSets[tabs]
  const more = useDeferred(moreTabs, known === undefined)
  if (tabs === undefined || (entry === 'admin' && user?.isAdmin !== true)) return []
  const closed = closedPages({ user, settings, isTunnelEnabled, subject })
  const present = (known ?? more?.tabSets[tabs] ?? []).filter(({ name }) => !isAbsent(name, settings))
  return present.map(({ label, ...tab }) => ({
    ...tab,
    label: t(label),
    href: pathTo(tab.name, route.params),
    isDisabled: closed[tab.name] === true,
    current: tab.name === route.name ? 'page' : tab.name === within ? 'true' : undefined,
  }))
}
