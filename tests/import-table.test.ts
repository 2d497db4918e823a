import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'

/** A row of the import table (docs/architecture.md): a file, statements that it may not have, and some that it may. */
interface Row {
  file: string
  breaks: readonly string[]
  keeps: readonly string[]
}

const own = (name: string) => `export { own } from './${name}'`
const from = (...names: string[]) => names.map((name) => `export { one } from '${name}'`)
const typeFrom = (...names: string[]) => names.map((name) => `export type { One } from '${name}'`)

const outside = [
  'window',
  'document',
  'navigator',
  'location',
  'history',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'caches',
]
const calls = ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket']
const clocks = [
  'setTimeout',
  'setInterval',
  'requestAnimationFrame',
  'queueMicrotask',
  'performance',
  'crypto',
  'matchMedia',
]
const named = (names: readonly string[]) =>
  names.flatMap((name) => [name, `globalThis.${name}`]).map((name) => `export const one = ${name}`)

const console = [
  'react',
  'react-dom/client',
  'react-aria-components',
  'xstate',
  '@xstate/react',
  'wouter',
  '@lingui/core',
  'lucide-react',
  'uqr',
]
const others = ['fastify', 'nodemailer', 'node:fs', 'some-new-package']

const rows: readonly Row[] = [
  {
    file: 'src/api/contract/file.ts',
    breaks: [
      ...from('../call.ts', '../resources/stream.ts', '../../machines/api-errors.ts', 'zod'),
      ...from('ofetch', 'shaka-player', ...console, ...others),
      ...typeFrom('../reply.ts'),
      "export const one = await import('../call.ts')",
    ],
    keeps: [own('wire.ts'), ...from('zod/mini')],
  },
  {
    file: 'src/api/resources/file.ts',
    breaks: [
      ...from('../browser/storage.ts', '../media/controller/media-controller.ts', '../export-file/zip-reader.ts'),
      ...typeFrom('../browser/storage.ts'),
      ...from('../../machines/api-errors.ts', '../../views/ui/Button.tsx', '../../i18n/i18n.ts', '../../wiring/app.ts'),
      ...from('../../worker/sw.ts', '../../main.tsx', '../../../server/app.ts', 'zod', ...console, ...others),
      ...typeFrom('../../machines/app/app.events.ts'),
    ],
    keeps: [own('stream.ts'), ...from('../call.ts', '../contract/stream.ts', 'zod/mini', 'ofetch')],
  },
  {
    file: 'src/api/file.ts',
    breaks: [
      ...from('./browser/storage.ts', './media/files.ts', './export-file/zip-reader.ts'),
      ...from('../machines/api-errors.ts', '../views/ui/Button.tsx', '../i18n/i18n.ts', ...console, ...others),
    ],
    keeps: [own('reply.ts'), ...from('./contract/stream.ts', 'zod/mini', 'ofetch')],
  },
  {
    file: 'src/api/media/folder/file.ts',
    breaks: [
      ...from(
        '../../resources/stream.ts',
        '../../browser/storage.ts',
        '../../export-file/zip-reader.ts',
        '../../../machines/api-errors.ts',
        '../../../wiring/app.ts',
      ),
      ...from('ofetch', 'zod/mini', ...console, ...others),
    ],
    keeps: [
      own('other.ts'),
      ...from('../controller/media-controller.ts'),
      ...from('../../call.ts', '../../contract/api-error.ts', 'shaka-player/dist/shaka-player.hls-es2021.js'),
    ],
  },
  {
    file: 'src/api/export-file/file.ts',
    breaks: [
      ...from('../resources/exports.ts', '../browser/storage.ts', '../media/controller/media-controller.ts'),
      ...from('../../machines/api-errors.ts', '../../wiring/app.ts', '../../../server/app.ts'),
      ...from('ofetch', 'shaka-player', ...console, ...others),
    ],
    keeps: [own('zip-reader.ts'), ...from('../contract/exports.ts', 'zod/mini', '@noble/hashes/sha2.js')],
  },
  {
    file: 'src/api/browser/file.ts',
    breaks: [
      ...from('../resources/bookmarks.ts', '../media/controller/media-controller.ts', '../export-file/zip-reader.ts'),
      ...from('../../machines/api-errors.ts', '../../views/ui/Button.tsx'),
      ...from('ofetch', 'shaka-player', ...console, ...others),
    ],
    keeps: [
      own('storage.ts'),
      ...from('../reply.ts', '../contract/system.ts', 'zod/mini'),
      ...typeFrom('../resources/bookmarks.ts'),
    ],
  },
  {
    file: 'src/machines/folder/file.ts',
    breaks: [
      ...from('../../api/call.ts', '../../api/contract/stream.ts', '../../views/ui/Button.tsx', '../../i18n/i18n.ts'),
      ...from('../../wiring/app.ts', '../../worker/sw.ts', '../../main.tsx', '../../../server/app.ts'),
      ...from('zod/mini', 'ofetch', 'shaka-player'),
      ...from(...console.filter((name) => name !== 'xstate'), ...others),
      ...typeFrom('../../views/app/console.ts'),
      "export const one = await import('../../api/call.ts')",
      ...named([...outside, ...calls, ...clocks]),
      ...['Date.now()', 'Math.random()', 'Temporal.Now.instant()'].map((call) => `export const one = ${call}`),
    ],
    keeps: [
      own('other.ts'),
      ...from('../api-errors.ts', 'xstate', 'xstate/graph'),
      ...typeFrom('../../api/reply.ts', '../../api/media/controller/media-controller.ts'),
      "export const one = await import('temporal-polyfill/shim')",
      'export const one = new Date(0)',
    ],
  },
  {
    file: 'src/views/folder/file.tsx',
    breaks: [
      ...from('../../api/call.ts', '../../api/media/controller/media-controller.ts', '../../wiring/app.ts'),
      ...from('../../worker/sw.ts', '../../main.tsx'),
      ...from('../../../server/app.ts', 'ofetch', 'zod/mini', 'shaka-player', 'xstate', ...others),
      "export const one = await import('../../api/call.ts')",
      "export { lazy } from 'react'",
      "export { useSyncExternalStore } from 'react'",
      ...named(['localStorage', 'sessionStorage', 'indexedDB', 'caches', ...calls]),
    ],
    keeps: [
      own('other.tsx'),
      ...from('../../machines/api-errors.ts', '../../i18n/formats.ts', '../ui/Button.tsx'),
      ...from('react', 'react-dom', 'react-aria-components'),
      ...from('@xstate/react', 'wouter', '@lingui/react/macro', '@lingui/core/macro', 'lucide-react', 'uqr'),
      ...typeFrom('../../api/contract/stream.ts', 'xstate'),
    ],
  },
  {
    file: 'src/views/dev/file.ts',
    breaks: [],
    keeps: [...from('../../wiring/app.ts', '../../api/call.ts', 'xstate', 'elkjs/lib/elk-api.js', 'react-dom/client')],
  },
  {
    file: 'src/worker/file.ts',
    breaks: [
      ...from('../api/call.ts', '../machines/api-errors.ts', 'zod/mini', 'ofetch', ...console, ...others),
      ...typeFrom('../api/reply.ts'),
    ],
    keeps: [own('console-cache.ts')],
  },
  {
    file: 'src/i18n/file.ts',
    breaks: [
      ...from('../api/call.ts', '../machines/api-errors.ts', '../views/ui/Button.tsx'),
      ...from('../wiring/app.ts', '../../server/app.ts'),
      ...from('zod/mini', 'ofetch', ...console.filter((name) => !name.startsWith('@lingui')), ...others),
    ],
    keeps: [own('i18n.ts'), ...from('@lingui/core', '@lingui/core/macro'), ...typeFrom('../api/reply.ts')],
  },
  {
    file: 'src/wiring/file.ts',
    breaks: [],
    keeps: [
      ...from('../api/call.ts', '../machines/api-errors.ts', '../views/ui/Button.tsx'),
      ...from('../i18n/i18n.ts', 'xstate', 'react'),
    ],
  },
  {
    file: 'server/folder/file.ts',
    breaks: [
      ...from('../../src/api/call.ts', '../../src/api/resources/stream.ts'),
      ...from('../../src/api/media/controller/media-controller.ts', '../../src/api/reply.ts'),
      ...from('../../src/machines/api-errors.ts', '../../src/views/ui/Button.tsx'),
      ...from('../../src/i18n/i18n.ts', '../../src/wiring/app.ts'),
      ...from('../../src/worker/sw.ts', '../../src/main.tsx', '../../tests/server/fixtures/harness.ts'),
      ...from('ofetch', 'shaka-player', ...console),
      ...from('node:sqlite', '../store/sqlite.ts', 'pg', '../store/postgres/open.ts'),
      ...from('@aws-sdk/client-s3', '../storage/bucket.ts'),
      ...typeFrom('node:sqlite'),
    ],
    keeps: [
      ...from('../context.ts', '../../src/api/contract/stream.ts', 'fastify', '@fastify/cookie'),
      ...from('../store/store.ts', 'node:fs', 'nodemailer', 'zod/mini'),
    ],
  },
  {
    file: 'server/store/file.ts',
    breaks: [
      ...from('../../src/api/call.ts', '../../src/machines/api-errors.ts', '../../tests/server/fixtures/harness.ts'),
      ...from('ofetch', 'shaka-player', ...console, '@aws-sdk/client-s3'),
    ],
    keeps: [
      ...from('./sqlite.ts', 'pg', '../guarded.ts', '../../src/api/contract/stream.ts', 'node:sqlite', 'zod/mini'),
    ],
  },
  {
    file: 'server/storage/file.ts',
    breaks: [
      ...from('../../src/api/call.ts', '../../src/machines/api-errors.ts', '../../tests/server/fixtures/harness.ts'),
      ...from('ofetch', 'shaka-player', ...console, 'node:sqlite', 'pg', '../store/sqlite.ts'),
    ],
    keeps: [...from('./bucket.ts', '@aws-sdk/client-s3', '../guarded.ts', '../store/store.ts', 'zod/mini')],
  },
]

const Report = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) })

const tree = mkdtempSync(join(tmpdir(), 'sightline-imports-'))
afterAll(() => rmSync(tree, { recursive: true, force: true }))

/** Two files that import each other, by value and by type. */
const circle = [
  ['src/machines/circle/one.ts', "import { two } from './two.ts'\nexport const one = (): number => two()\n"],
  ['src/machines/circle/two.ts', "import { one } from './one.ts'\nexport const two = (): number => one()\n"],
  ['server/circle/one.ts', "import type { Two } from './two.ts'\nexport interface One {\n  two: Two\n}\n"],
  ['server/circle/two.ts', "import type { One } from './one.ts'\nexport interface Two {\n  one: One\n}\n"],
] as const

const pathOf = (file: string, kind: string, index: number) => file.replace(/file(\.tsx?)$/, `${kind}-${index}$1`)

/** Lints every statement in a file of its own with the rules of this project; what was found of the table, by file. */
async function lint(): Promise<Map<string, string[]>> {
  copyFileSync('.oxlintrc.json', join(tree, '.oxlintrc.json'))
  for (const { file, breaks, keeps } of rows) {
    mkdirSync(join(tree, dirname(file)), { recursive: true })
    for (const [index, line] of breaks.entries()) writeFileSync(join(tree, pathOf(file, 'breaks', index)), `${line}\n`)
    for (const [index, line] of keeps.entries()) writeFileSync(join(tree, pathOf(file, 'keeps', index)), `${line}\n`)
  }
  for (const [file, text] of circle) {
    mkdirSync(join(tree, dirname(file)), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
  const program = join(import.meta.dirname, '../node_modules/.bin/oxlint')
  const output = await new Promise<string>((resolve) => {
    const options = { cwd: tree, maxBuffer: 64 * 1024 * 1024 }
    execFile(program, ['--format', 'json'], options, (_error, stdout) => resolve(stdout))
  })
  const found = new Map<string, string[]>()
  for (const { code, filename } of Report.parse(JSON.parse(output)).diagnostics) {
    if (code.includes('no-restricted-') || code.includes('no-cycle'))
      found.set(filename, [...(found.get(filename) ?? []), code])
  }
  return found
}

const found = await lint()

describe.each(rows)('$file', ({ file, breaks, keeps }) => {
  test.each(breaks.map((line, index) => [line, index] as const))('may not have: %s', (_line, index) => {
    expect(found.get(pathOf(file, 'breaks', index))?.length ?? 0).toBeGreaterThan(0)
  })

  test('may have the rest', () => {
    expect(keeps.filter((_line, index) => found.has(pathOf(file, 'keeps', index)))).toEqual([])
  })
})

test.each(circle)('%s may not import what imports it', (file) => {
  expect(found.get(file)).toEqual(['import(no-cycle)'])
})
