import { type Messages, i18n } from '@lingui/core'

export { i18n }

type Catalogue = () => Promise<{ messages: Messages }>

/** The parts of a catalogue, in the order in which they are loaded (scripts/catalogues-plugin.ts). */
const catalogues = {
  entrance: import.meta.glob<{ messages: Messages }>('./locales/*.po', { query: 'entrance' }),
  shell: import.meta.glob<{ messages: Messages }>('./locales/*.po', { query: 'shell' }),
  video: import.meta.glob<{ messages: Messages }>('./locales/*.po', { query: 'video' }),
  pages: import.meta.glob<{ messages: Messages }>('./locales/*.po', { query: 'pages' }),
} satisfies Record<string, Record<string, Catalogue>>
type Part = keyof typeof catalogues

const fileOf = (code: string) => `./locales/${code}.po`

const names = import.meta.glob<string>('./locales/*.po', { query: 'name', import: 'default', eager: true })

/** The languages that have a catalogue, with their native names. */
export const languages: readonly { code: string; name: string }[] = Object.entries(names).map(([file, name]) => ({
  code: file.slice('./locales/'.length, -'.po'.length),
  name,
}))

/** The code of the first preferred language (`ru-RU`, `en`) that has a catalogue, whatever the region; else English. */
export const chooseLanguage = (preferred: readonly string[]): string =>
  preferred
    .map((tag) => tag.toLowerCase().split(/[-_]/)[0] ?? '')
    .find((code) => fileOf(code) in catalogues.entrance) ?? 'en'

/** What `activate` loads; the language is the one that was requested last. */
const requested = { language: 'en', parts: new Set<Part>(['entrance']) }

/** Ignores a language without a catalogue. Rejects if the messages can't be loaded; then the present one stays. */
export async function activate(language: string): Promise<void> {
  const file = fileOf(language)
  if (!(file in catalogues.entrance)) return
  requested.language = language
  const messages = Promise.all([...requested.parts].map((part) => catalogues[part][file]?.()))
  const loaded = await messages.catch((error: unknown) => {
    // Messages that are needed later are those of the language that stays.
    if (requested.language === language && i18n.locale !== '') requested.language = i18n.locale
    throw error
  })
  // Also for a language that nobody wants any more: it may be the active one until the next has come.
  for (const part of loaded) if (part !== undefined) i18n.load(language, part.messages)
  if (requested.language === language) i18n.activate(language)
}

const loading = new Map<Part, Promise<void>>()

/**
 * Loads the messages of the shell, of pages with video or of all pages, in the current language and in each one that is
 * activated later.
 */
export function loadMessages(upTo: Exclude<Part, 'entrance'>): Promise<void> {
  requested.parts.add('shell').add(upTo)
  if (upTo === 'pages') requested.parts.add('video')
  const loaded = loading.get(upTo) ?? activate(requested.language)
  loading.set(upTo, loaded)
  void loaded.catch(() => loading.delete(upTo))
  return loaded
}

/** Loads code together with its messages. */
export async function withMessages<Module>(
  code: Promise<Module>,
  upTo: Exclude<Part, 'entrance'> = 'pages',
): Promise<Module> {
  const [module] = await Promise.all([code, loadMessages(upTo)])
  return module
}
