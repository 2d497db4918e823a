import babel from '@rolldown/plugin-babel'
import { linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import react from '@vitejs/plugin-react'
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type InlineConfig, type Plugin, build } from 'vite'
import * as z from 'zod/mini'
import { cataloguesPlugin } from './catalogues-plugin.ts'
import { iconsPlugin } from './icons-plugin.ts'
import { target } from './oldest-browsers.ts'

const Rendering = z.object({
  languages: z.array(z.object({ code: z.string() })),
  renderEntrance: z.custom<
    (variant: { language: string; title: string; hasPasskeys: boolean; canReset: boolean }) => Promise<string>
  >((value) => typeof value === 'function'),
})

/** Stands for the title in the HTML; the server writes its own. */
const title = '{title}'
const both = [false, true]

/** Leaves out all that the first screen loads later. */
const firstScreenAlone: Plugin = {
  name: 'first-screen-alone',
  resolveDynamicImport: (specifier) =>
    typeof specifier !== 'string' || specifier.endsWith('?entrance') ? null : { id: specifier, external: true },
}

/** The sign-in page by language and by what the server offers, such as `passkeys reset`. */
async function renderAll(base: InlineConfig): Promise<Record<string, Record<string, string>>> {
  /** Where Node finds the packages, and Vite puts its own. */
  const outDir = join(base.root ?? '', `node_modules/.vite-temp/entrance-${process.pid}`)
  await build({
    ...base,
    plugins: [
      babel({ presets: [linguiTransformerBabelPreset({ descriptorFields: 'auto' })] }),
      react(),
      cataloguesPlugin(),
      iconsPlugin(),
      firstScreenAlone,
    ],
    build: { ssr: join(base.root ?? '', 'src/wiring/entrance/render.tsx'), outDir, emptyOutDir: true },
    resolve: { alias: [{ find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: 'react' }] },
    ssr: { noExternal: ['lucide-react'] },
  })
  const { languages, renderEntrance } = z.parse(Rendering, await import(pathToFileURL(join(outDir, 'render.js')).href))
  const pages: Record<string, Record<string, string>> = {}
  for (const { code } of languages) {
    const variants: Record<string, string> = {}
    for (const hasPasskeys of both) {
      for (const canReset of both) {
        const offered = [hasPasskeys && 'passkeys', canReset && 'reset'].filter(Boolean).join(' ')
        variants[offered] = await renderEntrance({ language: code, title, hasPasskeys, canReset })
      }
    }
    pages[code] = variants
  }
  await rm(outDir, { recursive: true })
  return pages
}

async function buildScript(base: InlineConfig): Promise<string> {
  const built = await build({
    ...base,
    build: {
      write: false,
      target,
      rolldownOptions: { input: join(base.root ?? '', 'src/wiring/entrance/early.ts'), output: { format: 'iife' } },
    },
  })
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  const script = outputs.find((one) => one.type === 'chunk')
  if (script?.type !== 'chunk') throw new Error('src/wiring/entrance/early.ts could not be built')
  return script.code
}

/**
 * Renders the sign-in page, which the server sends with the document where it will be shown (server/http/entrance.ts):
 * `.vite/entrance.json`, and the script that shows it.
 */
export function entrancePlugin(): Plugin {
  const settled = { root: '', base: '' }
  return {
    name: 'entrance',
    apply: 'build',
    configResolved({ root, base }) {
      Object.assign(settled, { root, base })
    },
    async generateBundle() {
      const base: InlineConfig = { root: settled.root, configFile: false, publicDir: false, logLevel: 'error' }
      const [pages, source] = await Promise.all([renderAll(base), buildScript(base)])
      const hash = createHash('sha256').update(source).digest('base64url').slice(0, 7)
      const fileName = `assets/entrance-${hash}.js`
      this.emitFile({ type: 'asset', fileName, source })
      const json = JSON.stringify({ script: `${settled.base}${fileName}`, title, pages })
      this.emitFile({ type: 'asset', fileName: '.vite/entrance.json', source: json })
    },
  }
}
