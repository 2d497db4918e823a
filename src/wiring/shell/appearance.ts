import { fromCallback } from 'xstate'
import { activate, chooseLanguage } from '../../i18n/i18n.ts'
import type { AppearanceChanged, Theme, PublishedState } from '../../machines/app/app.events.ts'

export const appearance = fromCallback<AppearanceChanged, PublishedState>(({ input, receive }) => {
  const light = globalThis.matchMedia('(prefers-color-scheme: light)')
  let { theme, language } = input
  let chosenHere = ''
  let spoken = ''
  const dress = () => {
    document.documentElement.dataset.theme = themeFor(theme, light.matches)
  }
  dress()
  light.addEventListener('change', dress)
  receive(({ now }) => {
    theme = now.theme
    dress()
    if (now.language !== language) chosenHere = now.language
    language = now.language
    const wished = languageOf(now, chosenHere)
    if (wished === spoken) return
    spoken = wished
    document.documentElement.lang = wished
    void activate(wished)
  })
  return () => light.removeEventListener('change', dress)
})

const themeFor = (theme: Theme, isSystemLight: boolean) =>
  theme === 'system' ? (isSystemLight ? 'light' : 'dark') : theme

/**
 * docs/wire.md §4.1: the user's, where one is signed in and has one; else what this browser chose, the deployment's
 * default, the browser's own; where settings failed, what was chosen in this visit or the browser's own.
 */
export function languageOf(
  { user, language, hasSettings, settings, configuration }: PublishedState,
  chosenHere: string,
): string {
  const theirs = user === null ? [] : [user.language, settings.language]
  const chosen = hasSettings ? [language, settings.defaultLanguage, configuration.defaultLanguage] : [chosenHere]
  return chooseLanguage([...theirs, ...chosen, ...navigator.languages])
}
