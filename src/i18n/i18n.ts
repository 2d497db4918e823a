import { type Messages, i18n } from '@lingui/core'

export { i18n }

/** A language is a file in locales/ and one in locales/entrance/, what the first screen needs; each fetched when it is chosen. */
const entrances = import.meta.glob<{ messages: Messages }>('./locales/entrance/*.po')
const catalogues = import.meta.glob<{ messages: Messages }>('./locales/*.po')

export const languages: readonly { code: string; name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'ru', name: 'Русский' },
]

/** The first of the wished languages that the console has; a region (`ru-RU`) is passed over. English where none is. */
export function chooseLanguage(wishes: readonly string[]): string {
  for (const wish of wishes) {
    const code = wish.toLowerCase().split(/[-_]/)[0] ?? ''
    if (languages.some((language) => language.code === code)) return code
  }
  return 'en'
}

const wished = { language: 'en', isWhole: false }

/** Speaks a language from now on. */
export async function activate(language: string): Promise<void> {
  const entrance = entrances[`./locales/entrance/${language}.po`]
  if (entrance === undefined) return
  wished.language = language
  const parts = [entrance, wished.isWhole ? catalogues[`./locales/${language}.po`] : undefined]
  const loaded = await Promise.all(parts.map((load) => load?.()))
  if (wished.language !== language) return
  for (const part of loaded) if (part !== undefined) i18n.load(language, part.messages)
  i18n.activate(language)
}

/** Has the words of every screen, not of the first alone. */
export function completeMessages(): Promise<void> {
  wished.isWhole = true
  whole.loading ??= activate(wished.language)
  return whole.loading
}

const whole: { loading: Promise<void> | null } = { loading: null }
