import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConsoleConfiguration } from '../../../server/http/console-configuration.ts'
import { portOf } from '../../../server/start.ts'
import { startServer } from '../fixtures/harness.ts'

const index = '<!doctype html><title>console</title>'

const built = () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-test-'))
  const distDir = join(folder, 'dist')
  mkdirSync(join(distDir, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(distDir, '.hidden'), 'secret')
  writeFileSync(join(distDir, 'index.html'), index)
  writeFileSync(join(distDir, 'icon.svg'), '<svg/>')
  writeFileSync(join(distDir, 'assets', 'main-1a2b.js'), 'let plain')
  writeFileSync(join(distDir, 'assets', 'main-1a2b.js.gz'), gzipSync('let plain'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return distDir
}

describe('the built console', () => {
  test('a path that can not be decoded leads to the page for what is not found', async () => {
    const { ask } = await startServer({ distDir: built() })
    const [page, call] = await Promise.all([ask('GET', '/ui/stream/100%/view'), ask('GET', '/v1/stream/100%')])
    expect([page.status, page.headers.location, call.status]).toEqual([302, '/ui/not-found', 400])
  })

  test('its routes answer index.html, asked again each time; the root leads there', async () => {
    const { ask } = await startServer({ distDir: built() })
    for (const url of ['/ui/', '/ui/auth', '/ui/stream/a.b/view', '/ui/index.html', '/ui/a/b?c=d', '/ui/assets-page']) {
      const { status, body, headers } = await ask('GET', url)
      expect({ url, status, body, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
        url,
        status: 200,
        body: index,
        type: 'text/html; charset=utf-8',
        cache: 'no-cache',
      })
    }
    for (const url of ['/', '/ui']) {
      const { status, headers } = await ask('GET', url)
      expect({ url, status, location: headers['location'] }).toEqual({ url, status: 302, location: '/ui/' })
    }
  })

  test('whoever has signed in gets the first calls and the code of the most opened pages named beside index.html', async () => {
    const distDir = built()
    mkdirSync(join(distDir, '.vite'))
    const manifest = {
      'index.html': { file: 'assets/index.js', imports: ['_runtime.js'] },
      '_runtime.js': { file: 'assets/runtime.js' },
      '_frame.js': { file: 'assets/frame.js', imports: ['index.html', '_runtime.js'] },
      'src/views/shell/Shell.tsx': { file: 'assets/Shell.js', imports: ['index.html', '_frame.js'] },
      'src/wiring/streams/streams.ts': {
        file: 'assets/streams.js',
        imports: ['_frame.js'],
        css: ['assets/streams.css'],
      },
      'src/wiring/player/player.ts': { file: 'assets/player.js', imports: ['_frame.js'] },
    }
    writeFileSync(join(distDir, '.vite', 'manifest.json'), JSON.stringify(manifest))
    const { app } = await startServer({ distDir })
    const linkOf = async (url: string, cookie: string) =>
      (await app.inject({ url, headers: { cookie } })).headers['link'] ?? ''
    const calls = ['system/internal/ui/settings', 'system/health', 'user'].map(
      (call) => `</v1/${call}>; rel=preload; as=fetch; crossorigin`,
    )
    const of = (...files: string[]) =>
      [...calls, ...files.map((file) => `</ui/assets/${file}>; rel=modulepreload`)].join(', ')
    const list = of('Shell.js', 'frame.js', 'streams.js')
    expect({
      root: await linkOf('/ui/', 'session=1'),
      list: await linkOf('/ui/streams?groupType=tag', 'a=b; __Host-session=1'),
      player: await linkOf('/ui/stream/door/view', 'session=1'),
      mosaic: await linkOf('/ui/mosaic/7', 'session=1'),
      other: await linkOf('/ui/users', 'session=1'),
      signedOut: await linkOf('/ui/streams', 'no-session=1'),
    }).toEqual({
      root: list,
      list,
      player: of('Shell.js', 'frame.js', 'player.js'),
      mosaic: of('Shell.js', 'frame.js'),
      other: of(),
      signedOut: '',
    })
  })

  test('hashed assets are kept for ever, compressed where the browser takes it; other files are asked again', async () => {
    const { ask, app } = await startServer({ distDir: built() })
    const plain = await ask('GET', '/ui/assets/main-1a2b.js')
    expect({ status: plain.status, body: plain.body, cache: plain.headers['cache-control'] }).toEqual({
      status: 200,
      body: 'let plain',
      cache: 'public, max-age=31536000, immutable',
    })
    const small = await app.inject({ url: '/ui/assets/main-1a2b.js', headers: { 'accept-encoding': 'gzip, br' } })
    expect(small.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(gunzipSync(small.rawPayload).toString()).toBe('let plain')
    expect((await ask('GET', '/ui/icon.svg')).headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'no-cache',
    })
    const missing = await ask('GET', '/ui/assets/main-old.js')
    expect({ status: missing.status, body: missing.body }).toEqual({ status: 404, body: { code: 'NotFound' } })
  })

  test('no path leads to a file outside, sent as it is', async () => {
    const { app } = await startServer({ distDir: built() })
    await app.listen({ port: 0, host: '127.0.0.1' })
    for (const path of [
      '/ui/../secret.txt',
      '/ui/%2e%2e/secret.txt',
      '/ui/..%2fsecret.txt',
      '/ui/assets/../../secret.txt',
      '/ui/assets/..%2f..%2fsecret.txt',
      '/ui/assets/%2e%2e/%2e%2e/secret.txt',
      '/ui/assets/....//secret.txt',
      '/ui/.hidden',
      '/ui/assets//../../secret.txt',
      '/ui/assets/..\\..\\secret.txt',
      '/ui/assets/%5c..%5c..%5csecret.txt',
      '/ui/%00',
      '/ui/assets/%00',
      '/ui/assets/main-1a2b.js%00',
      '/ui/assets/',
      '/ui/assets/.',
      '/ui//secret.txt',
      '//ui/../secret.txt',
    ]) {
      const call = httpRequest({ port: portOf(app), host: '127.0.0.1', path }).end()
      const [reply] = await once(call, 'response')
      const body = await text(reply)
      expect({ path, isBroken: reply.statusCode >= 500, isLeak: body.includes('secret') }).toEqual({
        path,
        isBroken: false,
        isLeak: false,
      })
    }
  })

  test('a path that leads elsewhere is answered the same whether a file is there or not', async () => {
    const distDir = built()
    writeFileSync(join(distDir, 'assets', '.hidden'), 'secret')
    const { app } = await startServer({ distDir })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const there = [
      '..%2findex.html',
      '..%2f..%2fsecret.txt',
      '%2e%2e%2f%2e%2e%2fsecret.txt',
      '..%5cindex.html',
      '.%2fmain-1a2b.js',
      '%2e/main-1a2b.js',
      '.hidden',
      'main-1a2b.js%00',
      'x/..%2fmain-1a2b.js',
      '%2fmain-1a2b.js',
      '',
    ]
    const none = ['..%2fnone.html', '..%2f..%2fnone.txt', '..%2f..%2f..%2fetc%2fpasswd', '.none', 'none.js%00', '..%2f']
    for (const path of [...there, ...none]) {
      const call = httpRequest({ port: portOf(app), host: '127.0.0.1', path: `/ui/assets/${path}` }).end()
      const [reply] = await once(call, 'response')
      const notFound = { path, status: 404, body: '{"code":"NotFound"}' }
      expect({ path, status: reply.statusCode, body: await text(reply) }).toEqual(notFound)
    }
  })

  test('says so where it is not built yet', async () => {
    const { ask } = await startServer()
    const { status, body } = await ask('GET', '/ui/')
    expect({ status, body }).toEqual({ status: 503, body: 'The console is not built yet: run npm run build' })
  })
})

describe("the deployment's document", () => {
  test('is {} without one, and what was given with one, whose other addresses the policy allows', async () => {
    const plain = await startServer({ distDir: built() })
    expect((await plain.ask('GET', '/ui/config.json')).body).toEqual({})
    const configuration = {
      appTitle: 'Ours',
      versionCheckUrl: 'https://versions.example.org/v',
      appLogo: 'https://cdn.example.org/l.svg',
    }
    const { ask } = await startServer({ distDir: built(), configuration })
    const { body, headers } = await ask('GET', '/ui/config.json')
    expect({ body, cache: headers['cache-control'] }).toEqual({ body: configuration, cache: 'no-cache' })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("connect-src 'self' https://versions.example.org;")
    expect(policy).toContain("img-src 'self' data: blob: https://cdn.example.org;")
  })

  test('is refused at the start where it does not fit', () => {
    const folder = built()
    const file = join(folder, 'config.json')
    writeFileSync(file, '{"appTitle": 7}')
    expect(() => readConsoleConfiguration(file)).toThrow(/does not fit: .*Must be text\n.* at appTitle/s)
    writeFileSync(file, '{"appTitle": "Ours", "servers": [{"name": "B", "url": "https://b"}], "own": 1}')
    expect(readConsoleConfiguration(file)).toEqual({
      appTitle: 'Ours',
      servers: [{ name: 'B', url: 'https://b' }],
      own: 1,
    })
  })
})

test('health has the name of the script that the console begins with, also after another build', async () => {
  const distDir = built()
  const { ask } = await startServer({ distDir })
  const buildOf = async () => (await ask('GET', '/v1/system/health')).body
  const write = (entry: string, at: number) => {
    const file = join(distDir, 'index.html')
    writeFileSync(file, `${index}<script type="module" crossorigin src="/ui/assets/${entry}"></script>`)
    utimesSync(file, at, at)
  }
  expect(await buildOf()).not.toHaveProperty('build')
  write('index-1.js', 1)
  expect(await buildOf()).toMatchObject({ build: 'index-1.js' })
  write('index-2.js', 2)
  expect(await buildOf()).toMatchObject({ build: 'index-2.js' })
})
