import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { perBuild } from './per-build.ts'

/** A build chunk in Vite's manifest. */
const Chunk = z.object({ file: z.string(), imports: z.optional(z.array(z.string())) })
type Chunks = Record<string, z.output<typeof Chunk>>

const shell = 'src/views/shell/Shell.tsx'

/** The source files that begin the code of the most visited pages, by the paths of these below /ui/. */
const starts: readonly { path: RegExp; files: readonly string[] }[] = [
  { path: /^(?:streams\/?)?$/, files: [shell, 'src/wiring/streams/streams.ts'] },
  { path: /^stream\/[^/]+\/view\/?$/, files: [shell, 'src/wiring/player/player.ts'] },
  { path: /^mosaic\/[^/]+\/?$/, files: [shell, 'src/wiring/mosaics/mosaic.ts'] },
]

/** What the console asks the server on every page before it shows it to who has signed in. */
const firstCalls = ['/v1/system/internal/ui/settings', '/v1/system/health', '/v1/user']

function filesOf(names: readonly string[], chunks: Chunks): Set<string> {
  const reached = new Set<string>()
  const add = (name: string): void => {
    if (reached.has(name)) return
    reached.add(name)
    chunks[name]?.imports?.forEach(add)
  }
  names.forEach(add)
  return new Set([...reached].flatMap((name) => chunks[name]?.file ?? []))
}

function linkOf(files: readonly string[], chunks: Chunks, basePath: string): string {
  const named = filesOf(['index.html'], chunks)
  return [...filesOf(files, chunks)]
    .filter((file) => !named.has(file))
    .map((file) => `<${basePath}/ui/${file}>; rel=modulepreload`)
    .join(', ')
}

/** The headers by the manifest of a build; undefined if it can't be read, as while it is being written. */
function linksIn(file: string, basePath: string): string[] | undefined {
  try {
    const chunks = z.parse(z.record(z.string(), Chunk), JSON.parse(readFileSync(file, 'utf8')))
    return starts.map(({ files }) => linkOf(files, chunks, basePath))
  } catch {
    return undefined
  }
}

/**
 * The `Link` header of a page by its path below /ui/: the first calls, if this server answers them, and the code of the
 * most visited pages, where the build has a manifest. The browser then fetches both beside the console's entry instead
 * of after it. Read again after each build.
 */
export function createConsoleHints(
  distDir: string,
  { basePath, hasCalls }: { basePath: string; hasCalls: boolean },
): (path: string) => string {
  const file = join(distDir, '.vite/manifest.json')
  const links = perBuild(file, () => linksIn(file, basePath))
  const calls = hasCalls ? firstCalls.map((call) => `<${basePath}${call}>; rel=preload; as=fetch; crossorigin`) : []
  return (path) => {
    const code = links()?.[starts.findIndex((one) => one.path.test(path))] ?? ''
    return [...calls, ...(code === '' ? [] : [code])].join(', ')
  }
}
