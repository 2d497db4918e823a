import { useLingui } from '@lingui/react/macro'
import { BookOpen, Braces, CircleArrowUp, LogOut, Server, ShieldCheck, Sparkles, UserRound } from 'lucide-react'
import { languages } from '../../i18n/i18n.ts'
import {
  selectConfiguration,
  selectIsAdmin,
  selectNewVersion,
  selectPricingUrl,
  selectSettings,
  selectTheme,
  selectUser,
} from '../../machines/app/app.selectors.ts'
import type { Theme } from '../../machines/app/app.events.ts'
import { useApp, useConsole } from '../app/console.ts'
import { useVersion } from '../app/use-version.ts'
import { MenuChoice, MenuItem, MenuLine, MenuNote, SubMenu } from '../overlays/Menus.tsx'

/** The entries and their rules are in docs/behaviour.md §4.2. */
export function MainMenuItems() {
  const { t, i18n } = useLingui()
  const { app } = useConsole()
  const user = useApp(selectUser)
  const isAdmin = useApp(selectIsAdmin)
  const settings = useApp(selectSettings)
  const configuration = useApp(selectConfiguration)
  const version = useVersion()
  const newVersion = useApp(selectNewVersion)
  const theme = useApp(selectTheme)
  const pricingUrl = useApp(selectPricingUrl)
  const servers = configuration.servers.filter(({ url }) => url !== '')
  const hasSwitcher = configuration.serverSwitcherEnabled && isHandheld()
  const themes: readonly { id: Theme; label: string }[] = [
    { id: 'system', label: t`Same as the system` },
    { id: 'dark', label: t`Dark` },
    { id: 'light', label: t`Light` },
  ]
  const edition = settings.isLicenseExpired
    ? t`license expired`
    : settings.isEnterprise
      ? t`enterprise edition`
      : t`free edition`
  return (
    <>
      <MenuItem text={t`Profile`} icon={<UserRound size={16} />} href="/profile/me">{t`Profile`}</MenuItem>
      {isAdmin && (
        <MenuItem
          text={t`Administration`}
          icon={<ShieldCheck size={16} />}
          href="/administration"
        >{t`Administration`}</MenuItem>
      )}
      {hasSwitcher && servers.length === 0 && (
        <MenuItem text={t`Switch server`} icon={<Server size={16} />} disabled>{t`Switch server`}</MenuItem>
      )}
      {hasSwitcher && servers.length > 0 && (
        <SubMenu text={t`Switch server`} icon={<Server size={16} />}>
          {servers.map(({ name, url }) => (
            <MenuItem key={url} text={name || url} href={outerHref(url)}>
              {name || url}
            </MenuItem>
          ))}
        </SubMenu>
      )}
      {!settings.isEnterprise && (
        <MenuItem
          text={t`More features`}
          icon={<Sparkles size={16} />}
          href={outerHref(pricingUrl) || '/help'}
          newTab={pricingUrl !== ''}
        >{t`More features`}</MenuItem>
      )}
      {settings.documentation !== '' && (
        <MenuItem
          text={t`Documentation`}
          icon={<BookOpen size={16} />}
          href={outerHref(settings.documentation)}
          newTab
        >{t`Documentation`}</MenuItem>
      )}
      {isAdmin && (
        <MenuItem
          text={t`API documentation`}
          icon={<Braces size={16} />}
          href="/swagger"
          newTab
        >{t`API documentation`}</MenuItem>
      )}
      {newVersion !== null && newVersion.url !== '' && newVersion.version !== version && (
        <MenuItem
          text={t`Version ${newVersion.version} is available`}
          icon={<CircleArrowUp size={16} />}
          href={outerHref(newVersion.url)}
          newTab
        >
          {t`Version ${newVersion.version} is available`}
        </MenuItem>
      )}
      <MenuItem
        text={t`Log out`}
        icon={<LogOut size={16} />}
        onAction={() => app.send({ type: 'session.closeRequested' })}
      >{t`Log out`}</MenuItem>
      <MenuLine />
      <MenuChoice
        title={t`Language`}
        options={languages.map(({ code, name }) => ({ id: code, label: name }))}
        chosen={i18n.locale}
        onChoose={(language) => app.send({ type: 'language.chosen', language })}
      />
      <MenuChoice
        title={t`Theme`}
        options={themes}
        chosen={theme}
        onChoose={(id) => app.send({ type: 'theme.chosen', theme: id })}
      />
      <MenuLine />
      <MenuNote>
        {user?.name}
        {isAdmin && ` · ${t`administrator`}`}
        {version !== '' && ` · ${t`version ${version}`}`}
        {` · ${edition}`}
      </MenuNote>
    </>
  )
}

/** A path of the deployment, such as `/docs`, is one of the origin: other paths of the menu are below /ui. */
const outerHref = (url: string): string =>
  url.startsWith('/') && URL.canParse(url, globalThis.location.origin)
    ? new URL(url, globalThis.location.origin).href
    : url

/** For Switch server (docs/behaviour.md §4.2). An iPad in desktop mode is a Macintosh with a touch screen. */
function isHandheld(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return /android|iphone|ipad|ipod/i.test(userAgent) || (/macintosh/i.test(userAgent) && maxTouchPoints > 1)
}
