import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { oldest } from '../../scripts/oldest-browsers.ts'
import { readScript, tooNewInStyles } from './compat.ts'

/** Newer than the oldest browsers; each is asked for before it is used, or does no harm where it is missing. */
const guarded: Readonly<Record<string, string>> = {
  Temporal: 'temporal-polyfill, by src/machines/temporal.ts',
  equals: "Temporal's",
  traverseTo: 'src/api/browser/location.ts asks for navigation',
  navigate_event: 'like it',
  beforeunload_event: 'iOS lacks it: forms keep drafts (README, Browsers)',
  notificationclick_event: 'for browsers with web push',
  wheel_event: 'pinching and buttons zoom, too',
  'globalThis.requestIdleCallback': 'src/api/browser/idle.ts has a timer',
  'document.pictureInPictureElement': 'src/api/media/capabilities.ts asks for it',
  'document.exitPictureInPicture': 'like it',
  requestPictureInPicture: 'like it',
  requestVideoFrameCallback: 'src/api/media/frames/frames.ts has the frames of the screen',
  cancelVideoFrameCallback: 'like it',
  VideoFrame: 'src/api/media/frames/drawn-frame.ts asks for it',
  trustedTypes: 'src/api/browser/worker.ts asks for it',
  'anchor-name': 'anchor() has a length to fall back to',
  anchor: 'like it',
  'content-visibility': 'saves work, no more',
  'forced-color-adjust': 'for forced colours, which such browsers have not',
  'overflow-anchor': 'nothing is lost',
  resize: 'nothing is lost',
  'scrollbar-color': 'looks',
  'scrollbar-gutter': 'looks',
  'scrollbar-width': 'looks',
  'user-select': 'with its prefix or nothing',
  ':selection': 'looks',
}

/** Of React, react-aria, shaka and the polyfills, which ask before they use it or have a name of their own for it. */
const guardedInPackages = [
  'Error.captureStackTrace',
  'Intl.DurationFormat',
  'ManagedMediaSource',
  'Translator',
  'Uint8Array.fromBase64',
  'Uint8Array.fromHex',
  'createContext',
  'createPolicy',
  'getStartDate',
  'maximize',
  'navigator.connection',
  'navigator.userAgentData',
  'skipTransition',
  'toBase64',
]
/** What src/api/media/engine/preload-engine.ts has shaka install where it is missing. */
const installed = ['getOrInsert', 'getOrInsertComputed']

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file}`)
  .toSorted()
const scripts = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^src\/views\/dev\//.test(file))
const styles = files.filter((file) => file.endsWith('.css') && !file.startsWith('src/views/dev/'))
const read = (file: string) => readFileSync(file, 'utf8')

/** A member counts only where no script has one of that name of its own. */
const tooNewInScripts = (paths: readonly string[]) => {
  const all = paths.map((file) => ({ file, ...readScript(file, read(file)) }))
  const own = new Set(all.flatMap((one) => one.own))
  return all.flatMap(({ file, found }) =>
    found.filter(({ name, isMember }) => !isMember || !own.has(name)).map((one) => ({ file, ...one })),
  )
}

describe('what the oldest browsers do not have', () => {
  test('is in no source, but for what is guarded', () => {
    const inScripts = tooNewInScripts(scripts)
    const inStyles = styles.flatMap((file) => tooNewInStyles(read(file)).map((one) => ({ file, ...one })))
    const found = [...inScripts, ...inStyles]
    expect(
      found
        .filter(({ name }) => !Object.hasOwn(guarded, name))
        .map(({ file, line, name }) => `${file}:${line} ${name}`),
    ).toEqual([])
    expect(Object.keys(guarded).filter((name) => !found.some((one) => one.name === name))).toEqual([])
  }, 300_000)

  test('is in nothing that was built, packages included, but for what is guarded', () => {
    const folder = 'dist/assets'
    if (!existsSync(folder)) throw new Error('The console is not built yet: npm run build')
    const built = readdirSync(folder).filter((file) => file.endsWith('.js'))
    const found = tooNewInScripts(built.map((file) => `${folder}/${file}`)).map(({ name }) => name)
    const names = new Set(found.filter((name) => !Object.hasOwn(guarded, name)))
    expect([...names].toSorted()).toEqual([...guardedInPackages, ...installed].toSorted())
  }, 300_000)

  test('is found in scripts by name and line', () => {
    const code = [
      'scheduler.yield()',
      'document.startViewTransition(go)',
      'const one = Promise.try(go)',
      'const text = bytes.toBase64()',
      'new Temporal.Instant(0n)',
      'Math.max(1, 2)',
      'AbortSignal.any([])',
      'set.union(other)',
      'globalThis.CookieStore',
    ].join('\n')
    expect(readScript('a.ts', code).found.map(({ name, line }) => `${line} ${name}`)).toEqual([
      '1 scheduler',
      '2 document.startViewTransition',
      '3 Promise.try',
      '4 toBase64',
      '5 Temporal',
      '9 CookieStore',
    ])
  })

  test('is found in styles by name and line', () => {
    const code = [
      '/* field-sizing: content; */',
      '.a { anchor-name: --a; color: red; }',
      '@function --f() {}',
      '.b:open { left: anchor(right); }',
      '.c:hover { width: calc(1px); }',
    ].join('\n')
    expect(tooNewInStyles(code).map(({ name, line }) => `${line} ${name}`)).toEqual([
      '3 @function',
      '2 anchor-name',
      '4 :open',
      '4 anchor',
    ])
  })
})

test('the page that an older browser sees, and the README, name the oldest versions', () => {
  const versions = `Chrome ${oldest.chrome}, Edge ${oldest.edge}, Firefox ${oldest.firefox}, Safari ${oldest.safari}, iOS ${oldest.safari_ios}`
  expect(read('public/browser-check.js')).toContain(versions)
  expect(read('README.md')).toContain(versions)
})
