/** What the most used screens start from. */
const starts = {
  list: ['/src/views/shell/Shell.tsx', '/src/wiring/streams/streams.ts'],
  player: ['/src/wiring/player/player.ts'],
  mosaic: ['/src/wiring/mosaics/mosaic.ts'],
} as const

interface Modules {
  getModuleInfo(id: string): {
    importedIds: readonly string[]
    importers: readonly string[]
    dynamicImporters: readonly string[]
  } | null
}

/** The modules that those import, and that these do. */
function importsOf(files: readonly string[], modules: Modules): Set<string> {
  const found = new Set<string>()
  const add = (id: string): void => {
    if (found.has(id)) return
    found.add(id)
    for (const each of modules.getModuleInfo(id)?.importedIds ?? []) add(each)
  }
  for (const file of files) add(file)
  return found
}

export const isIcon = /[\\/]lucide-react[\\/]/

/** From so many on, a module is one that most pages need. */
const manyStarts = 6

/** How many parts that are loaded later start from a module. */
function countStarts(of: string, modules: Modules): number {
  const found = new Set<string>()
  let count = 0
  const add = (id: string): void => {
    const one = modules.getModuleInfo(id)
    if (found.has(id) || one === null) return
    found.add(id)
    if (one.dynamicImporters.length > 0) count += 1
    for (const each of one.importers) add(each)
  }
  add(of)
  return count
}

/**
 * The build chunk of a module that several pages share: `frame` has what the shell and the list of streams need, `common`
 * what player or mosaic share with most pages, `video` what these two need besides, and `forms` what the player shares
 * with others. What a chunk imports is in itself or in one before it.
 */
export function createChunkNames(root: string): (id: string, modules: Modules) => string | null {
  let found: Record<keyof typeof starts, Set<string>> | null = null
  const all = (name: keyof typeof starts, modules: Modules) =>
    importsOf(
      starts[name].map((file) => root + file),
      modules,
    )
  return (id, modules) => {
    found ??= { list: all('list', modules), player: all('player', modules), mosaic: all('mosaic', modules) }
    const { list, player, mosaic } = found
    if (list.has(id)) return 'frame'
    if (!player.has(id) && !mosaic.has(id)) return null
    const count = countStarts(id, modules)
    if (player.has(id) && mosaic.has(id)) return count < manyStarts ? 'video' : 'common'
    if (count < 3 && !isIcon.test(id)) return null
    return mosaic.has(id) ? 'common' : 'forms'
  }
}
