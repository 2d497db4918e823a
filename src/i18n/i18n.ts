import { type Messages, i18n } from '@lingui/core'

export { i18n }

/** What the first screen needs comes first, the rest after it (scripts/catalogues-plugin.ts). */
const entrances = import.meta.glob<{ messages: Messages }>('./locales/*.po', { query: 'entrance' })
const rests = import.meta.glob<{ messages: Messages }>('./locales/*.po', { query: 'rest' })

const fileOf = (code: string) => `./locales/${code}.po`

const names = import.meta.glob<string>('./locales/*.po', { query: 'name', import: 'default', eager: true })

/** Every language that has a file, named in itself. */
export const languages: readonly { code: string; name: string }[] = Object.entries(names).map(([file, name]) => ({
  code: file.slice(10, -3),
  name,
}))

/** The first of the wished languages that the console has; a region (`ru-RU`) is passed over. English where none is. */
export const chooseLanguage = (wishes: readonly string[]): string =>
  wishes.map((wish) => wish.toLowerCase().split(/[-_]/)[0] ?? '').find((code) => fileOf(code) in entrances) ?? 'en'

const wished = { language: 'en', isWhole: false }

export async function activate(language: string): Promise<void> {
  const entrance = entrances[fileOf(language)]
  if (entrance === undefined) return
  wished.language = language
  const parts = [entrance, wished.isWhole ? rests[fileOf(language)] : undefined]
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
