import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const named = /import \{([^}]*)\} from 'lucide-react'/g

/**
 * Imports each icon from its own file: through the package's index, which names all 1,700, the build doesn't know which
 * page uses which. The function that draws them is ours, without the package's options.
 */
export function iconsPlugin(): Plugin {
  const files = new Map<string, string>()
  return {
    name: 'icons',
    apply: 'build',
    enforce: 'pre',
    async buildStart() {
      const index = await this.resolve('lucide-react')
      if (index === null) this.error('lucide-react is not installed')
      for (const [, names = '', file = ''] of (await readFile(index.id, 'utf8')).matchAll(
        /^export \{([^}]*)\} from '\.\/(icons\/[\w-]+\.mjs)'/gm,
      ))
        for (const [, name = ''] of names.matchAll(/default as (\w+)/g))
          files.set(name, index.id.replace(/[^/\\]+$/, file))
    },
    resolveId: {
      filter: { id: /^\.\.\/createLucideIcon\.mjs$/ },
      handler: () => join(import.meta.dirname, '../src/views/ui/create-icon.ts'),
    },
    transform: {
      filter: { id: /\/src\/.*\.tsx$/, code: /from 'lucide-react'/ },
      handler: (code) =>
        code.replaceAll(named, (_import, list: string) =>
          list
            .split(',')
            .filter((one) => one.trim() !== '' && !one.trim().startsWith('type '))
            .map((one) => {
              const [name = '', local = name] = one.trim().split(' as ')
              return `import ${local} from ${JSON.stringify(files.get(name))}`
            })
            .join(';'),
        ),
    },
  }
}
