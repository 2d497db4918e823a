import babel from '@rolldown/plugin-babel'
import { linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import react from '@vitejs/plugin-react'
import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { cataloguesPlugin } from './scripts/catalogues-plugin.ts'
import { createChunkNames, isIcon } from './scripts/chunks.ts'
import { entrancePlugin } from './scripts/entrance-plugin.ts'
import { iconsPlugin } from './scripts/icons-plugin.ts'
import { target } from './scripts/oldest-browsers.ts'
import { reactPlugin } from './scripts/react-plugin.ts'
import { readersPlugin } from './scripts/readers-plugin.ts'
import { workerPlugin } from './scripts/worker-plugin.ts'
import WaitingFirst from './tests/waiting-first.ts'

/** Writes `.br` and `.gz` beside what was built, for servers that send such files as they are; each at its smallest. */
const precompressed = (): Plugin => ({
  name: 'precompressed',
  apply: 'build',
  writeBundle: async ({ dir = '' }, bundle) => {
    const texts = Object.values(bundle).filter(({ fileName }) => /\.(?:js|css|html|svg|json)$/.test(fileName))
    await Promise.all(
      texts.map(async (file) => {
        const source = file.type === 'chunk' ? file.code : file.source
        const [brotli, gzipped] = await Promise.all([
          promisify(brotliCompress)(source),
          promisify(gzip)(source, { level: 9 }),
        ])
        if (gzipped.length >= Buffer.byteLength(source)) return
        await writeFile(join(dir, `${file.fileName}.br`), brotli)
        await writeFile(join(dir, `${file.fileName}.gz`), gzipped)
      }),
    )
  },
})

/** Tests that stand in for a module; a build doesn't look for them. */
const mockingModules =
  process.env['VITEST'] === undefined
    ? []
    : globSync('{src,tests}/**/*.test.{ts,tsx}', { cwd: import.meta.dirname }).filter((file) =>
        /\bvi\.mock\(/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
      )
/** Other tests of the same process would see what these stand in for: a module, `fetch` or a part of Node. */
const mocking = [
  ...mockingModules,
  'src/api/resources/calls.test.ts',
  'tests/server/*/{archive-queries,full-disk,fuzz,fuzz-sources,long-text,sandbox,secrets,sending,statistics}.test.ts',
]

/**
 * `--mode walk` builds the console that reports the edges its machines take, for e2e/walk; its words needn't be in a
 * catalogue yet.
 */
export default defineConfig(({ mode }) => ({
  base: '/ui/',
  experimental: {
    /* The server writes the path of the console, which may be below another one, into the document alone. */
    renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  plugins: [
    babel({ presets: [linguiTransformerBabelPreset({ descriptorFields: mode === 'walk' ? 'message' : 'auto' })] }),
    react(),
    cataloguesPlugin(),
    mode !== 'walk' && [
      iconsPlugin(),
      reactPlugin(),
      readersPlugin(),
      entrancePlugin(),
      workerPlugin(),
      precompressed(),
    ],
  ],
  resolve: {
    alias: [
      /* React itself has what the shim stands in for. */
      { find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: 'react' },
      { find: 'ufo', replacement: join(import.meta.dirname, 'src/api/without-ufo.ts') },
    ],
  },
  build: {
    target,
    modulePreload: {
      polyfill: false,
      /* The list of what to preload weighs on the first screen: the most used pages name all they need, the others
         their styles. */
      resolveDependencies: (file, dependencies, { hostType }) =>
        hostType === 'html' || /\/(?:Shell|streams|player|mosaic)-/.test(file)
          ? dependencies
          : dependencies.filter((one) => one.endsWith('.css')),
    },
    assetsInlineLimit: 0,
    /* For scripts/budget.ts. */
    manifest: mode !== 'walk',
    /* shaka-player's own build, fetched only where a player is, is larger than the 500 kB that Vite warns of; so is
       elkjs, in the walk alone. */
    chunkSizeWarningLimit: mode === 'walk' ? 1600 : 800,
    rolldownOptions: {
      /* Of these files, which are schemas, what nobody imports is left out. */
      treeshake: { moduleSideEffects: [{ test: /\/src\/api\/(?:contract\/|readers)/, sideEffects: false }] },
      output: {
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          /* What the first screen starts from is one file, and few files have what several pages share: without TLS a
             browser asks for six files at a time, and thirty small ones cost more than the few kilobytes that one page
             has no use for. For the walk the entry stays by itself, as it waits for what watches it, which takes from
             these files. */
          groups:
            mode === 'walk'
              ? []
              : [
                  { name: 'console', tags: ['$initial'], priority: 2 },
                  /* Of the first screens only a form needs it. */
                  { name: 'zod', test: /[\\/]zod[\\/]/, priority: 3 },
                  { name: 'aria', test: /[\\/](?:react-aria|react-stately|@internationalized)/, priority: 1 },
                  {
                    name: createChunkNames(import.meta.dirname),
                    minShareCount: 2,
                    priority: 1,
                    includeDependenciesRecursively: false,
                  },
                  { name: 'icons', test: isIcon, minShareCount: 2 },
                  { name: 'shared', minShareCount: 3 },
                ],
        },
      },
    },
  },
  test: {
    globalSetup: 'tests/machines/kept-edges.ts',
    // The outer bound where the machine is busy: no test takes that long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Many wait for a server or for time: 203 s by four on two cores, 179 s by seven, of which each waits for longer.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: WaitingFirst },
    projects: [
      // Those that share a process: they leave nothing behind, and a process for each costs more than most of them.
      {
        extends: true,
        test: {
          name: 'console',
          include: ['src/{api,i18n,machines,wiring,worker}/**/*.test.ts'],
          exclude: mocking,
          setupFiles: 'tests/settled-imports.ts',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['tests/server/!(long)/*.test.ts'],
          exclude: mocking,
          setupFiles: 'tests/settled-imports.ts',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'views',
          include: ['src/views/**/*.test.{ts,tsx}', 'tests/views/*.test.tsx'],
          exclude: mocking,
          setupFiles: ['tests/settled-imports.ts', 'tests/views/setup.ts'],
          isolate: false,
        },
      },
      // Cameras in real time: `npm run test:all` alone.
      { extends: true, test: { name: 'long', include: ['tests/server/long/*.test.ts'], isolate: false } },
      {
        extends: true,
        test: {
          name: 'apart',
          include: ['tests/*.test.ts', 'tests/!(server|views)/**/*.test.{ts,tsx}', ...mocking],
        },
      },
    ],
  },
}))
