import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

const folder = 'src/i18n/locales'

/** A language is one file in src/i18n/locales. */
export const locales = readdirSync(join(import.meta.dirname, folder)).flatMap((file) =>
  file.endsWith('.po') ? [file.slice(0, -3)] : [],
)

export default defineConfig({
  sourceLocale: 'en',
  locales,
  catalogs: [{ path: `<rootDir>/${folder}/{locale}`, include: ['src'], exclude: ['**/*.test.*', '**/views/dev/**'] }],
  /* Where a message is used tells which of them the first screen needs (scripts/catalogues-plugin.ts). */
  format: formatter({ lineNumbers: false }),
})
