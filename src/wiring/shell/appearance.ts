import { fromCallback } from 'xstate'
import { activate, chooseLanguage } from '../../i18n/i18n.ts'
import type { AppearanceChanged, Theme, PublishedState } from '../../machines/app/app.events.ts'

export const appearance = fromCallback<AppearanceChanged, PublishedState>(({ input, receive }) => {
  const light = globalThis.matchMedia('(prefers-color-scheme: light)')
  let { theme, language } = input
  /** Chosen since the page was loaded. */
  let chosenHere = ''
  let activeLanguage = ''
  const applyTheme = () => {
    document.documentElement.dataset.theme = themeFor(theme, light.matches)
  }
  applyTheme()
  light.addEventListener('change', applyTheme)
  receive(({ state }) => {
    theme = state.theme
    applyTheme()
    if (state.language !== language) chosenHere = state.language
    language = state.language
    const next = languageOf(state, chosenHere)
    if (next === activeLanguage) return
    activeLanguage = next
    document.documentElement.lang = next
    void activate(next)
  })
  return () => light.removeEventListener('change', applyTheme)
})

const themeFor = (theme: Theme, isSystemLight: boolean) =>
  theme === 'system' ? (isSystemLight ? 'light' : 'dark') : theme

/**
 * The language of the signed-in user, else the one chosen in this browser, the deployment's default, the browser's own
 * (docs/wire.md §4.1). If the settings failed: the one chosen since the page was loaded, else the browser's own.
 */
export function languageOf(
  { user, language, hasSettings, settings, configuration }: PublishedState,
  chosenHere: string,
): string {
  const ofUser = user === null ? [] : [user.language, settings.language]
  const chosen = hasSettings ? [language, settings.defaultLanguage, configuration.defaultLanguage] : [chosenHere]
  return chooseLanguage([...ofUser, ...chosen, ...navigator.languages])
}
