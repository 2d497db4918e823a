import { basename } from 'node:path'
import { readFile } from 'node:fs/promises'
import { createCompiledCatalog } from '@lingui/cli/api'
import { formatter } from '@lingui/format-po'
import type { Plugin } from 'vite'

/** The messages before signing in and of every screen; few, as the first screen waits for them. */
const entrance = ['src/i18n/', 'src/views/app/', 'src/views/sign-in/', 'src/views/ui/PasswordField.tsx']
/** Pages whose messages are loaded with them (`loadPage` in src/wiring/pages.ts). */
const pages = [
  'src/views/add-stream/',
  'src/views/administration/',
  'src/views/alerts/',
  'src/views/api-documentation/',
  'src/views/events/',
  'src/views/exports/',
  'src/views/groups/',
  'src/views/log-tail/',
  'src/views/motion/',
  'src/views/people/',
  'src/views/profile/',
  'src/views/sessions/',
  'src/views/stream-pages/',
  'src/views/tokens/',
  'src/views/users/',
]
/** Files of those pages that the player and its side panel also show. */
const besideVideo = ['src/views/exports/ExportDialog.tsx', 'src/views/stream-pages/words.ts']
const isIn = (folders: readonly string[], file: string) => folders.some((folder) => file.startsWith(folder))

/**
 * Whether a file belongs neither to the shell nor to a page with video; tests/first-messages.test.ts checks that by the
 * imports.
 */
export const isOfPage = (file: string): boolean => isIn(pages, file) && !isIn(besideVideo, file)

const partOf = (files: readonly string[]) => {
  if (files.some((file) => isIn(entrance, file))) return 'entrance'
  return files.every(isOfPage) ? 'pages' : 'shell'
}

const asked = /^(.*\/(\w+)\.po)\?(entrance|shell|pages|name)$/

/** The name of a language in that language: «Русский». Computed at build time, as it takes a browser 50 ms. */
const nameOf = (locale: string) =>
  `${new Intl.DisplayNames(locale, { type: 'language' }).of(locale)}`.replace(/./u, (first) => first.toUpperCase())

/**
 * Makes three build chunks of the catalogue of a language, `locales/<language>.po`: `?entrance` for the first screen,
 * `?pages` for pages without video only, `?shell` for the rest; `?name` is the language's name. Missing translations
 * appear in English.
 */
export function cataloguesPlugin(): Plugin {
  const { parse } = formatter()
  return {
    name: 'catalogues',
    load: {
      filter: { id: asked },
      async handler(id) {
        const [, file = '', locale = '', part] = asked.exec(id) ?? []
        if (part === 'name') return { code: `export default ${JSON.stringify(nameOf(locale))}`, moduleType: 'js' }
        this.addWatchFile(file)
        const catalogue = await parse(await readFile(file, 'utf8'), {
          locale,
          sourceLocale: 'en',
          filename: basename(file),
        })
        const messages = Object.entries(catalogue).flatMap(
          ([key, { translation = '', message = '', origin = [], obsolete = false }]) => {
            const isOther = partOf(origin.map(([file]) => file)) !== part
            return obsolete || isOther ? [] : [[key, translation || message] as const]
          },
        )
        const { source, errors } = createCompiledCatalog(locale, Object.fromEntries(messages), { namespace: 'es' })
        for (const { source: message, error } of errors) this.error(`${file}: ${message}: ${error.message}`)
        return { code: source, moduleType: 'js' }
      },
    },
  }
}
