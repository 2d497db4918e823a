import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPo } from '../../scripts/po.ts'

export type Language = 'en' | 'ru'
export type Words = (message: string, values?: Readonly<Record<string, string | number>>) => string

/** What the console says in a language, looked up in its catalogues by the English message; throws where there is none. */
export function wordsOf(language: Language): Words {
  const folder = join(import.meta.dirname, '../../src/i18n/locales')
  const catalogues = [`${language}.po`, `entrance/${language}.po`].map((file) => readPo(readFileSync(join(folder, file), 'utf8')))
  return (message, values = {}) => {
    const found = catalogues.map((catalogue) => catalogue.get(`|${message}`)).find((text) => text !== undefined && text !== '')
    if (found === undefined) throw new Error(`the ${language} catalogue has no "${message}"`)
    return found.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
  }
}
