import { fromCallback } from 'xstate'
import { activate, chooseLanguage, i18n } from '../../i18n/i18n.ts'
import type { AppearanceChanged, Theme, PublishedState } from '../../machines/app/app.events.ts'
import { raiseToast, type ToastSender } from '../../machines/notifications/toast.ts'

const enqueue: ToastSender['enqueue'] = { sendTo: (notifications, event) => notifications.send(event) }

export const appearance = fromCallback<AppearanceChanged, PublishedState>(({ input, receive, system }) => {
  const light = globalThis.matchMedia('(prefers-color-scheme: light)')
  let { theme, language } = input
  /** Chosen since the page was loaded. */
  let chosenHere = ''
  let wantedLanguage = ''
  const applyTheme = () => {
    document.documentElement.dataset.theme = themeFor(theme, light.matches)
  }
  /** Without its messages the present language stays, or English comes; the next change of the state tries again. */
  const keepLanguage = async (language: string) => {
    if (wantedLanguage !== language) return
    wantedLanguage = ''
    if (i18n.locale === '') await activate('en').catch(() => null)
    if (i18n.locale === '' || wantedLanguage !== '') return
    document.documentElement.lang = i18n.locale
    raiseToast({ enqueue, system }, { tone: 'error', code: 'LanguageNotLoaded' })
  }
  const show = async (language: string) => {
    try {
      await activate(language)
    } catch {
      await keepLanguage(language)
    }
  }
  applyTheme()
  light.addEventListener('change', applyTheme)
  receive(({ state }) => {
    theme = state.theme
    applyTheme()
    if (state.language !== language) chosenHere = state.language
    language = state.language
    const next = languageOf(state, chosenHere)
    if (next === wantedLanguage) return
    wantedLanguage = next
    document.documentElement.lang = next
    void show(next)
  })
  return () => light.removeEventListener('change', applyTheme)
})

const themeFor = (theme: Theme, isSystemLight: boolean) =>
  theme === 'system' ? (isSystemLight ? 'light' : 'dark') : theme

/**
 * The language of the signed-in user, else the one chosen in this browser, the deployment's default, the browser's own
 * (docs/behaviour.md §2). If the settings failed: the one chosen since the page was loaded, else the browser's own.
 */
export function languageOf(
  { user, language, hasSettings, settings, configuration }: PublishedState,
  chosenHere: string,
): string {
  const ofUser = user === null ? [] : [user.language, settings.language]
  const chosen = hasSettings ? [language, settings.defaultLanguage, configuration.defaultLanguage] : [chosenHere]
  return chooseLanguage([...ofUser, ...chosen, ...navigator.languages])
}
