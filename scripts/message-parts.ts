import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The parts of a catalogue, in the order in which they are loaded, by the files that need them first. */
const starts = {
  entrance: ['src/main.tsx'],
  shell: [
    'src/views/app/Toast.tsx',
    'src/views/shell/Shell.tsx',
    'src/views/overlays/parts.ts',
    'src/views/streams/FiltersPanel.tsx',
    'src/views/streams/StreamTable.tsx',
    'src/wiring/streams/streams.ts',
  ],
  video: ['src/wiring/player/player.ts', 'src/wiring/mosaics/mosaic.ts', 'src/wiring/shell/clips.ts'],
} as const
export type Part = keyof typeof starts | 'pages'

const root = join(import.meta.dirname, '..')
const imported = /^(?:import|export)(?! type\b)[^'"`;:=()]*? from '(\.[^']+)'/gm
const importedLater = /\bimport\('(\.[^']+)'\)/g

const filesIn = (file: string, imports: RegExp): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(imports)]
    .map(([, name = '']) => relative(root, join(root, dirname(file), name)))
    .filter((name) => /\.tsx?$/.test(name) && existsSync(join(root, name)))

/** Files, those that they import and so on. */
export function reachedFrom(files: readonly string[]): Set<string> {
  const reached = new Set<string>()
  const add = (file: string): void => {
    if (reached.has(file)) return
    reached.add(file)
    filesIn(file, imported).forEach(add)
  }
  files.forEach(add)
  return reached
}

export const loadedLaterBy = (file: string): string[] => filesIn(file, importedLater)

/** The part of a catalogue that has the messages of a file: what the sign-in page needs is loaded first. */
export function readParts(): (file: string) => Part {
  const [entrance, shell, video] = [starts.entrance, starts.shell, starts.video].map(reachedFrom)
  return (file) =>
    entrance?.has(file) ? 'entrance' : shell?.has(file) ? 'shell' : video?.has(file) ? 'video' : 'pages'
}
