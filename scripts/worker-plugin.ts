import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Plugin, build } from 'vite'
import type { Build } from '../src/worker/console-cache.ts'
import { target } from './oldest-browsers.ts'

/** Alphabets that neither language of the console uses, but names may. */
const isRare = (file: string) => file.includes('-latin-ext-')

/** Builds `sw.js` from src/worker, last, as it lists every file of the build that it caches. */
export function workerPlugin(): Plugin {
  const settled = { root: '' }
  return {
    name: 'worker',
    apply: 'build',
    configResolved({ root }) {
      Object.assign(settled, { root })
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const all = Object.values(bundle)
        const entry = all.find((one) => one.type === 'chunk' && one.isEntry)?.fileName ?? ''
        const page = bundle['index.html']
        const files = all
          .map(({ fileName }) => fileName)
          .filter((file) => file.startsWith('assets/') && !isRare(file))
          .toSorted()
        const id = createHash('sha256')
          .update(JSON.stringify([files, page?.type === 'asset' ? String(page.source) : '']))
          .digest('hex')
          .slice(0, 12)
        const known: Omit<Build, 'page'> = { id, entry, files }
        const built = await build({
          root: settled.root,
          configFile: false,
          publicDir: false,
          logLevel: 'error',
          define: { build: JSON.stringify(known) },
          build: {
            write: false,
            target,
            rolldownOptions: { input: join(settled.root, 'src/worker/sw.ts'), output: { format: 'iife' } },
          },
        })
        const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
        const worker = outputs.find((one) => one.type === 'chunk')
        if (worker?.type !== 'chunk') this.error('src/worker could not be built')
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: worker.code })
      },
    },
  }
}
