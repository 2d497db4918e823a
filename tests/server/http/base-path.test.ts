import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { basePathOf } from '../../../server/http/base-path.ts'
import { startServer } from '../fixtures/harness.ts'

const entry = '<script type="module" crossorigin src="/ui/assets/index-1.js"></script>'
const index = `<!doctype html><html lang="en"><head><link href="/ui/config.json" />${entry}</head><body><div id="root"></div></body></html>`
const rendered = {
  script: '/ui/assets/entrance-2.js',
  title: '{title}',
  pages: { en: { '': '<a href="/ui/auth">{title}</a>', passkeys: '<a href="/ui/auth">{title}</a>' } },
}

const built = () => {
  const distDir = mkdtempSync(join(tmpdir(), 'sightline-test-'))
  for (const folder of ['assets', '.vite']) mkdirSync(join(distDir, folder))
  writeFileSync(join(distDir, 'index.html'), index)
  for (const name of ['index-1.js', 'entrance-2.js']) writeFileSync(join(distDir, 'assets', name), 'code')
  writeFileSync(join(distDir, '.vite/entrance.json'), JSON.stringify(rendered))
  const manifest = {
    'index.html': { file: 'assets/index-1.js' },
    'src/views/shell/Shell.tsx': { file: 'assets/Shell-3.js' },
    'src/wiring/streams/streams.ts': { file: 'assets/streams-4.js' },
  }
  writeFileSync(join(distDir, '.vite/manifest.json'), JSON.stringify(manifest))
  onTestFinished(() => rmSync(distDir, { recursive: true }))
  return distDir
}

test('below a path of a proxy, all that the server names is below it', async () => {
  const { ask, addUser, signIn } = await startServer({ distDir: built(), basePath: '/cameras' })
  await addUser('ann', true)
  const cookie = await signIn('ann')
  const document = index.replace('<html ', '<html data-base-path="/cameras" ').replaceAll('"/ui/', '"/cameras/ui/')
  // A proxy passes the path on, or leaves it out.
  for (const path of ['', '/cameras']) {
    const page = await ask('GET', `${path}/ui/streams`, { cookie })
    expect(page).toMatchObject({ status: 200, body: document })
    expect(String(page.headers['link']).split(', ')).toEqual([
      '</cameras/v1/system/internal/ui/settings>; rel=preload; as=fetch; crossorigin',
      '</cameras/v1/system/health>; rel=preload; as=fetch; crossorigin',
      '</cameras/v1/user>; rel=preload; as=fetch; crossorigin',
      '</cameras/ui/assets/Shell-3.js>; rel=modulepreload',
      '</cameras/ui/assets/streams-4.js>; rel=modulepreload',
    ])
    expect((await ask('GET', `${path}/ui/assets/index-1.js`)).body).toBe('code')
    expect((await ask('GET', `${path}/ui/config.json`)).body).toEqual({ apiBaseUrl: '/cameras' })
    expect(await ask('GET', `${path}/v1/user`, { cookie })).toMatchObject({ status: 200, body: { name: 'ann' } })
    expect((await ask('GET', `${path}/v1/user`)).status).toBe(401)
    const { location } = (await ask('GET', `${path}/ui/stream/100%/view`)).headers
    expect(location).toBe('/cameras/ui/not-found')
    for (const url of ['/', '/ui']) expect((await ask('GET', path + url)).headers['location']).toBe('/cameras/ui/')
  }
  for (const url of ['/cameras', '/camerasui/', '/other/ui/', '/cameras/cameras/ui/'])
    expect({ url, status: (await ask('GET', url)).status }).toEqual({ url, status: 404 })

  const headers = { accept: 'text/html' }
  expect((await ask('GET', '/cameras/ui/', { headers })).body).toBe(
    index
      .replace(entry, '<link rel="modulepreload" crossorigin href="/ui/assets/index-1.js">')
      .replace(
        '<head>',
        '<head><script src="/ui/assets/entrance-2.js" data-entry="/ui/assets/index-1.js" data-language=""></script>',
      )
      .replace('<div id', '<template lang="en"><a href="/ui/auth">Sightline</a></template><div id')
      .replace('<html ', '<html data-base-path="/cameras" ')
      .replaceAll('"/ui/', '"/cameras/ui/'),
  )
})

test('a base path is a path of plain words', () => {
  expect(['/cameras', '/a/b-c_1/', '/', undefined].map(basePathOf)).toEqual(['/cameras', '/a/b-c_1', '', ''])
  for (const text of ['cameras', '//evil.example', '/a b', '/a"b', '/a/../b', '/a//b', 'https://a.example/b'])
    expect(() => basePathOf(text)).toThrow(
      `BASE_PATH takes a path like /cameras, of letters, digits, - and _, not "${text}"`,
    )
})
