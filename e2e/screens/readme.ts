import type { Language } from '../real/words.ts'

export type Look = { readonly language: Language; readonly width: 'wide' | 'narrow'; readonly theme: 'dark' | 'light' }

export type Picture = Look & { readonly file: string; readonly name: string; readonly previews?: number }

/**
 * The eight pictures of the README: the screen, its look, and the name of the file in docs/images. `previews`: how many
 * of the page's pictures it waits for.
 */
export const pictures: readonly Picture[] = [
  { file: 'player', name: 'player-archive', language: 'en', width: 'wide', theme: 'dark' },
  { file: 'streams', name: 'streams', language: 'en', width: 'wide', theme: 'dark', previews: 3 },
  { file: 'mosaic', name: 'mosaic', language: 'en', width: 'wide', theme: 'light' },
  { file: 'phone', name: 'player-archive', language: 'ru', width: 'narrow', theme: 'dark' },
  { file: 'stream', name: 'stream-info', language: 'en', width: 'wide', theme: 'dark' },
  { file: 'calendar', name: 'player-calendar', language: 'en', width: 'wide', theme: 'dark' },
  { file: 'permissions', name: 'user-permissions', language: 'ru', width: 'wide', theme: 'light' },
  { file: 'swagger', name: 'swagger', language: 'en', width: 'wide', theme: 'light' },
]
