import { basename } from 'node:path'
import { readFile } from 'node:fs/promises'
import { createCompiledCatalog } from '@lingui/cli/api'
import { formatter } from '@lingui/format-po'
import type { Plugin } from 'vite'

/** What one meets before signing in, and what every screen needs; small, because the first screen waits for it. */
const entrance = ['src/i18n/', 'src/views/app/', 'src/views/sign-in/', 'src/views/ui/PasswordField.tsx']
const isOfEntrance = (file: string) => entrance.some((place) => file.startsWith(place))

const asked = /^(.*\/(\w+)\.po)\?(entrance|rest|name)$/

/** A language named in itself: «Русский». Said while building, because a browser takes 50 ms to say it. */
const nameOf = (locale: string) =>
  `${new Intl.DisplayNames(locale, { type: 'language' }).of(locale)}`.replace(/./u, (first) => first.toUpperCase())

/**
 * A language is one catalogue, `locales/<language>.po`, and two chunks: `?entrance` has what the first screen needs,
 * `?rest` the others; `?name` is what it is called. What isn't translated yet is said in the words of the source.
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
            const isFirst = origin.some(([place]) => isOfEntrance(place))
            return obsolete || isFirst !== (part === 'entrance') ? [] : [[key, translation || message] as const]
          },
        )
        const { source, errors } = createCompiledCatalog(locale, Object.fromEntries(messages), { namespace: 'es' })
        for (const { source: message, error } of errors) this.error(`${file}: ${message}: ${error.message}`)
        return { code: source, moduleType: 'js' }
      },
    },
  }
}
