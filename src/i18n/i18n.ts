import { type Messages, i18n } from '@lingui/core'

export { i18n }

/** Every language is one catalogue file in locales/, fetched when it is chosen. */
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

export async function activate(language: string): Promise<void> {
  const load = catalogues[`./locales/${language}.po`]
  if (load === undefined) return
  const { messages } = await load()
  i18n.loadAndActivate({ locale: language, messages })
}
