import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPo } from '../../scripts/po.ts'

export type Language = 'en' | 'ru'
export type Words = (message: string, values?: Readonly<Record<string, string | number>>) => string

/** The translation of an English message, from the catalogue of a language; throws if it is missing. */
export function wordsOf(language: Language): Words {
  const catalogue = readPo(readFileSync(join(import.meta.dirname, `../../src/i18n/locales/${language}.po`), 'utf8'))
  return (message, values = {}) => {
    const found = catalogue.get(`|${message}`)
    if (found === undefined || found === '') throw new Error(`the ${language} catalogue has no "${message}"`)
    return found.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder))
  }
}
