import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { ServerOptions } from '../../../server/app.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { createEntrance } from '../../../server/http/entrance.ts'
import { password, startServer } from '../fixtures/harness.ts'

const entry = '<script type="module" crossorigin src="/ui/assets/index-1a2b.js"></script>'
const index = `<!doctype html><html lang="en"><head><meta charset="utf-8" />${entry}</head><body><div id="root"></div></body></html>`
const page = (words: string) => ({
  '': `<h1>${words} {title}</h1>`,
  passkeys: `<h1>${words} {title}</h1>+passkeys`,
  reset: `<h1>${words} {title}</h1>+reset`,
  'passkeys reset': `<h1>${words} {title}</h1>+passkeys+reset`,
})
const rendered = {
  script: '/ui/assets/entrance-3c4d.js',
  title: '{title}',
  pages: { en: page('Sign in to'), ru: page('Вход в') },
}

function built(hasEntrance = true): string {
  const distDir = mkdtempSync(join(tmpdir(), 'sightline-test-'))
  writeFileSync(join(distDir, 'index.html'), index)
  mkdirSync(join(distDir, '.vite'))
  mkdirSync(join(distDir, 'assets'))
  for (const name of ['index-1a2b.js', 'entrance-3c4d.js']) writeFileSync(join(distDir, 'assets', name), '')
  if (hasEntrance) writeFileSync(join(distDir, '.vite/entrance.json'), JSON.stringify(rendered))
  onTestFinished(() => rmSync(distDir, { recursive: true }))
  return distDir
}

async function openPages(options: Partial<ServerOptions> = {}) {
  const server = await startServer({ distDir: built(), ...options })
  const open = async (url: string, headers: Record<string, string> = {}) =>
    server.app.inject({ url, headers: { accept: 'text/html,*/*;q=0.8', host: '10.0.0.7', ...headers } })
  return { ...server, open }
}

test('a visitor without a session gets the sign-in page with the document, in each language', async () => {
  const { addUser, open } = await openPages()
  await addUser('ann', true)
  const { body, headers } = await open('/ui/streams')
  expect(body).toBe(
    index
      .replace(entry, '<link rel="modulepreload" crossorigin href="/ui/assets/index-1a2b.js">')
      .replace(
        '<head>',
        '<head><script src="/ui/assets/entrance-3c4d.js" data-entry="/ui/assets/index-1a2b.js" data-language=""></script>',
      )
      .replace(
        '<div id="root"></div>',
        '<template lang="en"><h1>Sign in to Sightline</h1></template>' +
          '<template lang="ru"><h1>Вход в Sightline</h1></template><div id="root"></div>',
      ),
  )
  expect({ type: headers['content-type'], cache: headers['cache-control'], vary: headers['vary'] }).toEqual({
    type: 'text/html; charset=utf-8',
    cache: 'no-store',
    vary: 'accept-encoding',
  })
  const small = await open('/ui/streams', { 'accept-encoding': 'gzip, br' })
  expect([small.headers['content-encoding'], gunzipSync(small.rawPayload).toString()]).toEqual(['gzip', body])
  const plain = await open('/ui/streams', { 'accept-encoding': 'br, gzip;q=0' })
  expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, body])
})

test('all others get the document as it was built', async () => {
  const { addUser, open, signIn } = await openPages()
  const bodies: Record<string, string> = { 'before the first administrator': (await open('/ui/')).body }
  await addUser('ann', true)
  const cookie = await signIn('ann')
  for (const url of [
    '/ui/auth?recover',
    '/ui/auth?failure=denied',
    '/ui/stream/gate/view',
    '/ui/recover-password',
    '/ui/init',
    '/ui/nowhere',
    '/ui/a/b',
  ])
    bodies[url] = (await open(url)).body
  bodies['signed in'] = (await open('/ui/', { cookie })).body
  bodies['by the service worker'] = (await open('/ui/', { accept: '*/*' })).body
  expect(new Set(Object.values(bodies))).toEqual(new Set([index]))
  expect((await open('/ui/auth')).body).not.toBe(index)
})

test('it shows what the deployment offers, and its title as text; with more on it, the console shows it itself', async () => {
  const { addUser, open, context } = await openPages()
  await addUser('ann', true)
  const values = structuredClone(builtInValues)
  const openWith = async (change: object, host = '10.0.0.7') => {
    await context.configuration.save({ ...values, ...change }, 'ann')
    return (await open('/ui/auth', { host })).body
  }
  const offered = await openWith({
    application: { ...values.application, title: 'A & <b>', defaultLanguage: 'ru' },
    mail: { ...values.mail, host: 'mail.example' },
  })
  expect(offered).toContain('<template lang="en"><h1>Sign in to A &amp; &lt;b&gt;</h1>+reset</template>')
  expect(offered).toContain('data-language="ru"')
  expect(await openWith({}, 'localhost')).toContain('<h1>Sign in to Sightline</h1>+passkeys</template>')
  expect(await openWith({ application: { ...values.application, logo: '/logo.png' } })).toBe(index)
  expect(await openWith({ kiosk: { user: 'wall', password } })).toBe(index)
})

test('nor where another server answers the calls, nor without the page in the build', async () => {
  const elsewhere = await openPages({ configuration: { apiBaseUrl: 'https://video.example' } })
  await elsewhere.addUser('ann', true)
  expect((await elsewhere.open('/ui/auth')).body).toBe(index)
  const facts = { title: '', defaultLanguage: '', hasPasskeys: false, canReset: false }
  expect(createEntrance(built(false), '')(facts)).toBeNull()
})

test('a request while a build is written gets no document whose files are not there, and the next one gets it', () => {
  const distDir = built()
  const facts = { title: '', defaultLanguage: '', hasPasskeys: false, canReset: false }
  const documentOf = createEntrance(distDir, '')
  const script = join(distDir, 'assets/entrance-3c4d.js')
  rmSync(script)
  expect(documentOf(facts)).toBeNull()
  writeFileSync(script, '')
  rmSync(join(distDir, 'assets/index-1a2b.js'))
  expect(documentOf(facts)).toBeNull()
  writeFileSync(join(distDir, 'assets/index-1a2b.js'), '')
  expect(documentOf(facts)?.plain).toContain('<script src="/ui/assets/entrance-3c4d.js"')
})
