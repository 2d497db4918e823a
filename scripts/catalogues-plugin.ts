import { basename } from 'node:path'
import { readFile } from 'node:fs/promises'
import { createCompiledCatalog } from '@lingui/cli/api'
import { formatter } from '@lingui/format-po'
import type { Plugin } from 'vite'
import { type Part, readParts } from './message-parts.ts'

const order: readonly Part[] = ['entrance', 'shell', 'video', 'pages']

const asked = /^(.*\/(\w+)\.po)\?(entrance|shell|video|pages|name)$/

/** The name of a language in that language: «Русский». Computed at build time, as it takes a browser 50 ms. */
const nameOf = (locale: string) =>
  `${new Intl.DisplayNames(locale, { type: 'language' }).of(locale)}`.replace(/./u, (first) => first.toUpperCase())

/**
 * Makes four build chunks of the catalogue of a language, `locales/<language>.po`: `?entrance` for the first screen,
 * `?shell` for the list of streams, `?video` for pages with video and `?pages` for the rest; `?name` is the language's
 * name. Missing translations appear in English.
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
        const partOf = readParts()
        const catalogue = await parse(await readFile(file, 'utf8'), {
          locale,
          sourceLocale: 'en',
          filename: basename(file),
        })
        const messages = Object.entries(catalogue).flatMap(
          ([key, { translation = '', message = '', origin = [], obsolete = false }]) => {
            const parts = origin.map(([from]) => partOf(from))
            const isOther = order.find((one) => parts.includes(one)) !== part
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
