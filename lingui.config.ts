import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

/** What one meets before signing in, and what every screen needs; small, because the first screen waits for it. */
const entrance = [
  'src/i18n',
  'src/views/app',
  'src/views/sign-in',
  'src/views/ui/PasswordField.tsx',
]
const tests = ['**/*.test.*', '**/views/dev/**']

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'ru'],
  catalogs: [
    { path: '<rootDir>/src/i18n/locales/entrance/{locale}', include: entrance, exclude: tests },
    { path: '<rootDir>/src/i18n/locales/{locale}', include: ['src'], exclude: [...tests, ...entrance.map((path) => `${path}${path.includes('.') ? '' : '/**'}`)] },
  ],
  format: formatter({ lineNumbers: false, origins: false }),
})
