import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { loadedLaterBy, reachedFrom, readParts } from '../scripts/message-parts.ts'

const root = join(import.meta.dirname, '..')
/** Load the messages with what they load, in their own way. */
const loaders = [
  'src/wiring/pages.ts',
  'src/wiring/player/player.ts',
  'src/views/player/use-motion-tool.tsx',
  'src/views/mosaics/MosaicDialogs.tsx',
]
const first = [
  'src/main.tsx',
  'src/views/shell/Shell.tsx',
  'src/wiring/shell/extras.ts',
  'src/wiring/streams/streams.ts',
  'src/wiring/player/player.ts',
  'src/wiring/mosaics/mosaic.ts',
]
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

const specifierOf = (file: string, later: string): string => {
  const path = relative(dirname(file), later)
  return path.startsWith('.') ? path : `./${path}`
}

/** Whether it has messages of its own. */
const speaks = (file: string): boolean => /@lingui\/(?:react|core)\/macro'/.test(textOf(file))

test('the messages of the list and of the player are in the parts that are loaded with them', () => {
  const partOf = readParts()
  expect(
    [
      'src/views/sign-in/SignInPage.tsx',
      'src/views/shell/MainMenuItems.tsx',
      'src/views/streams/StreamsPage.tsx',
      'src/views/player/PlayerPage.tsx',
      'src/views/mosaics/MosaicPage.tsx',
      'src/views/clips/Tray.tsx',
      'src/views/users/UsersPage.tsx',
    ].map(partOf),
  ).toEqual(['entrance', 'shell', 'shell', 'video', 'video', 'video', 'pages'])
})

test('what they load later brings its messages', () => {
  const partOf = readParts()
  const files = [...reachedFrom(first)].filter((file) => !loaders.includes(file))
  const mute = files.flatMap((file) =>
    loadedLaterBy(file)
      .filter((later) => [...reachedFrom([later])].some((each) => partOf(each) === 'pages' && speaks(each)))
      .filter((later) => !textOf(file).includes(`withMessages(import('${specifierOf(file, later)}'))`))
      .map((later) => `${file}: ${later}`),
  )
  expect(mute).toEqual([])
})
