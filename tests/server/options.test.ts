import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readOptions } from '../../server/options.ts'

const defaults = {
  host: '127.0.0.1', port: 8080, dataDir: resolve('data'), distDir: resolve('dist'), upstream: undefined, demo: true,
  administrator: undefined, configurationFile: undefined, trustProxy: undefined, logLevel: 'warn',
}

test('options have defaults, take the environment, and before it the command line', () => {
  expect(readOptions([], {})).toEqual(defaults)
  const env = {
    PORT: '9000', HOST: '0.0.0.0', DATA_DIR: '/var/lib/x', ADMIN_LOGIN: 'root', ADMIN_PASSWORD: 'secret', CONSOLE_CONFIG: '/etc/c.json',
    TRUST_PROXY: 'loopback', LOG_LEVEL: 'info', UPSTREAM: 'https://a.example',
  }
  const given = {
    host: '0.0.0.0', port: 9000, dataDir: '/var/lib/x', distDir: resolve('dist'), upstream: new URL('https://a.example'), demo: true,
    administrator: { login: 'root', password: 'secret' }, configurationFile: '/etc/c.json', trustProxy: 'loopback', logLevel: 'info',
  }
  expect(readOptions([], env)).toEqual(given)
  const args = ['--port', '0', '--host', '::1', '--data-dir', '/tmp/y', '--no-demo', '--upstream', 'http://b.example:81']
  expect(readOptions(args, env)).toEqual({
    ...given, port: 0, host: '::1', dataDir: '/tmp/y', demo: false, upstream: new URL('http://b.example:81'),
  })
  expect(readOptions([], { PORT: '', ADMIN_LOGIN: '', ADMIN_PASSWORD: '' })).toEqual(defaults)
  expect(readOptions(['--help'], {})).toBeUndefined()
})

test.each([
  [['--bogus'], {}, "Unknown option '--bogus'"],
  [[], { PORT: 'x' }, '"x" is no port'],
  [['--port', '70000'], {}, '"70000" is no port'],
  [['--upstream', 'ftp://a'], {}, '--upstream takes an address like https://host, not "ftp://a"'],
  [['--upstream', 'https://a/b'], {}, '--upstream takes an address like https://host, not "https://a/b"'],
  [['--upstream', 'a.example'], {}, '--upstream takes an address like https://host, not "a.example"'],
  [[], { ADMIN_LOGIN: 'root' }, 'ADMIN_LOGIN and ADMIN_PASSWORD go together'],
])('%j %j is told in words', (args, env, message) => {
  expect(() => readOptions(args, env)).toThrow(message)
})
