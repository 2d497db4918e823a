import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { settingNames } from '../../../server/configuration/environment.ts'
import { optionTable } from '../../../server/configuration/option-table.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { readOptions } from '../../../server/options.ts'

const written = (name: string, text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const optionsOf = (file: string, env: NodeJS.ProcessEnv = {}, args: readonly string[] = []) =>
  readOptions(['--config', file, ...args], env)

/** An error, with the file called by its own name alone. */
const errorOf = (name: string, text: string, env: NodeJS.ProcessEnv = {}): string => {
  const file = written(name, text)
  try {
    optionsOf(file, env)
  } catch (error) {
    return error instanceof Error ? error.message.replace(file, name) : String(error)
  }
  return ''
}

const toml = `
# A site.
PORT = 9000
HOST = "0.0.0.0"
DATA_DIR = "/var/lib/x"
ARCHIVE_DIRS = ["/mnt/a", "/mnt/b"]
DEMO = false
ALLOWED_HOSTS = ["cams.example.org", "*.lan"]
TUNNEL_COMMAND = ["ssh", "-N", "a b"]
SETTING_LIMITS_STREAMS_MAX = 20
SETTING_AUDIT_IS_ENABLED = false
SETTING_TUNNEL_LOCATIONS = ["eu", "us"]
`

test('a file gives options and settings by the names of the variables, in TOML or JSON', () => {
  const json = JSON.stringify({
    PORT: 9000,
    HOST: '0.0.0.0',
    DATA_DIR: '/var/lib/x',
    ARCHIVE_DIRS: ['/mnt/a', '/mnt/b'],
    DEMO: false,
    ALLOWED_HOSTS: ['cams.example.org', '*.lan'],
    TUNNEL_COMMAND: ['ssh', '-N', 'a b'],
    SETTING_LIMITS_STREAMS_MAX: 20,
    SETTING_AUDIT_IS_ENABLED: false,
    SETTING_TUNNEL_LOCATIONS: ['eu', 'us'],
  })
  const given = {
    ...readOptions([], {}),
    port: 9000,
    host: '0.0.0.0',
    dataDir: '/var/lib/x',
    archiveDirs: ['/mnt/a', '/mnt/b'],
    demo: false,
    allowedHosts: ['cams.example.org', '*.lan'],
    tunnelCommand: ['ssh', '-N', 'a b'],
    defaults: {
      ...builtInValues,
      limits: { ...builtInValues.limits, streamsMax: 20 },
      audit: { ...builtInValues.audit, isEnabled: false },
      tunnel: { ...builtInValues.tunnel, locations: ['eu', 'us'] },
    },
  }
  expect(optionsOf(written('a.toml', toml))).toEqual(given)
  expect(optionsOf(written('a.json', json))).toEqual(given)
})

test('the command line goes before the environment, and that before the file', () => {
  const file = written('a.toml', toml)
  const env = { PORT: '9001', HOST: '', DATA_DIR: '/var/lib/y' }
  const { port, host, dataDir, demo } = optionsOf(file, env, ['--data-dir', '/var/lib/z', '--demo']) ?? {}
  expect({ port, host, dataDir, demo }).toEqual({ port: 9001, host: '0.0.0.0', dataDir: '/var/lib/z', demo: true })
})

test.each([
  ['a.toml', '\nPORT = 8080\nPROT = 1\n', {}, 'a.toml:3: unknown option PROT'],
  ['a.toml', 'PORT = 8080\n\nHOST == 1\n', {}, 'a.toml:3: invalid TOML: '],
  ['a.toml', 'HOST = "a"\nPORT = 70000\n', {}, 'a.toml:2: "70000" is not a port'],
  ['a.toml', 'HOST = "a"\nPORT = 70000\n', { PORT: 'x' }, '"x" is not a port'],
  [
    'a.toml',
    '# PORT\nPORT = { a = 1 }\n',
    {},
    'a.toml:2: PORT takes text, a number, true or false, or a list of texts',
  ],
  [
    'a.toml',
    '\nOIDC_ALLOWED_GROUPS = ["CN=guards,OU=site"]\n',
    {},
    'a.toml:2: no item of OIDC_ALLOWED_GROUPS can have ","',
  ],
  ['a.json', '{\n  "ARCHIVE_DIRS": ["/mnt/a:b"]\n}', {}, 'a.json:2: no item of ARCHIVE_DIRS can have ":"'],
  ['a.toml', '\n[server]\nPORT = 1\n', {}, 'a.toml:2: unknown option server'],
  [
    'a.toml',
    'TLS_CERT = "/no/cert.pem"\nTLS_KEY = "/no/key.pem"\n',
    {},
    'a.toml:1: TLS_CERT: there is no file /no/cert',
  ],
  ['a.toml', '\nADMIN_LOGIN = "root"\n', {}, 'a.toml:2: ADMIN_LOGIN and ADMIN_PASSWORD must be set together'],
  [
    'a.toml',
    '\nMETRICS_ALLOW = "x"\n',
    {},
    'a.toml:2: METRICS_ALLOW: "x" is not an address or a network like 10.0.0.0/8',
  ],
  ['a.toml', '\nSETTING_MAIL_PORT = "x"\n', {}, 'a.toml:2: SETTING_MAIL_PORT: Must be a number'],
  ['a.toml', 'PORT = 1\nSETTING_MAIL_PORT = "x"\n', {}, 'a.toml:2: SETTING_MAIL_PORT: Must be a number'],
  ['a.json', '{\n  "PORT": 1,\n  "HOST": localhost,\n  "DEMO": false\n}', {}, 'a.json:3: invalid JSON ('],
  ['a.json', '{ "HOST": local\n\n\n\n\n\n\n\n\n\n}', {}, 'a.json:1: invalid JSON ('],
  ['a.json', '{\n  "PORT": 1,\n  "HOST": \n}', {}, 'a.json:4: invalid JSON ('],
  ['a.json', '{\n  "PORT": 1,', {}, 'a.json:2: invalid JSON ('],
  ['a.json', '[1]', {}, 'a.json:1: the file must hold names and values'],
  ['a.json', '{\n  "PORT": "x"\n}', {}, 'a.json:2: "x" is not a port'],
])('%s %j with %j is reported in words, with its line', (name, text, env, message) => {
  expect(errorOf(name, text, env).slice(0, message.length)).toBe(message)
})

test.each([
  ['{ "MQTT_SECRET": hunter2 }', "a.json:1: invalid JSON (Unexpected token 'h')"],
  ['{ "MQTT_SECRET": "hunter2", "PORT": 1, "HOST": x }', "a.json:1: invalid JSON (Unexpected token 'x')"],
  ['hunter2', "a.json:1: invalid JSON (Unexpected token 'h')"],
  ['{ "MQTT_SECRET": "hunter2 }', 'a.json:1: invalid JSON (Unterminated string in JSON at position 27)'],
])('%s is reported without a part of the file, which may be a secret', (text, message) => {
  expect(errorOf('a.json', text)).toBe(message)
})

test('without --config the file is that of SIGHTLINE_CONFIG', () => {
  const env = { SIGHTLINE_CONFIG: written('a.toml', 'PORT = 9003') }
  expect(readOptions([], env)?.port).toBe(9003)
  expect(optionsOf(written('b.toml', 'PORT = 9004'), env)?.port).toBe(9004)
})

test('a missing file is reported', () => {
  expect(() => readOptions(['--config', '/no/file.toml'], {})).toThrow('--config: there is no file /no/file.toml')
})

test('the file knows every variable that the server reads', () => {
  const sources = ['server/options.ts', 'server/configuration/environment.ts'].map((file) => readFileSync(file, 'utf8'))
  const read = sources.flatMap((text) => [...text.matchAll(/env\['(\w+)'\]/g)].map(([, name = '']) => name))
  const isOption = (name: string) => name !== 'SIGHTLINE_CONFIG'
  expect([...new Set(read.filter(isOption))].toSorted()).toEqual(optionTable.map(({ name }) => name).toSorted())
  expect(settingNames).toContain('SETTING_LIMITS_STREAMS_MAX')
})
