import { type Messages, i18n } from '@lingui/core'

export { i18n }

type Catalogue = () => Promise<{ messages: Messages }>

/** The parts of a language, in the order in which they are needed (scripts/catalogues-plugin.ts). */
const catalogues = {
  entrance: import.meta.glob<{ messages: Messages }>('./locales/*.po', { query: 'entrance' }),
  shell: import.meta.glob<{ messages: Messages }>('./locales/*.po', { query: 'shell' }),
  pages: import.meta.glob<{ messages: Messages }>('./locales/*.po', { query: 'pages' }),
} satisfies Record<string, Record<string, Catalogue>>
type Part = keyof typeof catalogues

const fileOf = (code: string) => `./locales/${code}.po`

const names = import.meta.glob<string>('./locales/*.po', { query: 'name', import: 'default', eager: true })

/** Every language that has a file, named in itself. */
export const languages: readonly { code: string; name: string }[] = Object.entries(names).map(([file, name]) => ({
  code: file.slice(10, -3),
  name,
}))

/** The first of the wished languages that the console has; a region (`ru-RU`) is passed over. English where none is. */
export const chooseLanguage = (wishes: readonly string[]): string =>
  wishes.map((wish) => wish.toLowerCase().split(/[-_]/)[0] ?? '').find((code) => fileOf(code) in catalogues.entrance) ??
  'en'

const wished = { language: 'en', parts: new Set<Part>(['entrance']) }

export async function activate(language: string): Promise<void> {
  const file = fileOf(language)
  if (!(file in catalogues.entrance)) return
  wished.language = language
  const loaded = await Promise.all([...wished.parts].map((part) => catalogues[part][file]?.()))
  if (wished.language !== language) return
  for (const part of loaded) if (part !== undefined) i18n.load(language, part.messages)
  i18n.activate(language)
}

const loading = new Map<Part, Promise<void>>()

/** Has the words of the shell and of what one watches with it, or of all pages, in this language and the next ones. */
export function loadMessages(upTo: Exclude<Part, 'entrance'>): Promise<void> {
  wished.parts.add('shell').add(upTo)
  const known = loading.get(upTo) ?? activate(wished.language)
  loading.set(upTo, known)
  return known
}
