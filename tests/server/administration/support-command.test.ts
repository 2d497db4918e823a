import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { collectBundle } from '../../../server/administration/command-bundle.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { portOf } from '../../../server/start.ts'
import { streamsPlugin } from '../../../server/streams/plugin.ts'
import { version } from '../../../server/version.ts'
import { password, startServer } from '../fixtures/harness.ts'
import { connectHere } from '../fixtures/local-connection.ts'
import { newFolder } from '../fixtures/tape.ts'

/** One of every kind of secret, wherever one may be kept. */
const planted = {
  admin: 'planted-admin-pass-1',
  smtp: 'planted@smtp:pass-2',
  tunnel: 'planted-tunnel-token-3',
  kiosk: 'planted kiosk pass-4',
  mail: 'planted "mail" pass-5',
  camera: 'planted@camera:pass-6',
  onvif: 'planted@onvif:pass-8',
  mqtt: 'planted@mqtt:pass-9',
  mqttSecret: 'planted mqtt secret-10',
}

const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
]

const configuration = (dataDir: string, port: number): string => `
PORT = ${port}
DATA_DIR = "${dataDir}"
ADMIN_LOGIN = "root"
ADMIN_PASSWORD = "${planted.admin}"
SMTP_URL = "smtp://post:${encodeURIComponent(planted.smtp)}@mail.example:587"
MQTT_URL = "mqtt://vms:${encodeURIComponent(planted.mqtt)}@broker.example"
MQTT_SECRET = "${planted.mqttSecret}"
TUNNEL_COMMAND = ["tunnel", "--token", "${planted.tunnel}"]
SETTING_KIOSK_PASSWORD = "${planted.kiosk}"
`

const runWith = async (path: string, folder: string, ...args: string[]) => {
  const child = spawn(resolve('bin/sightline'), ['support-bundle', ...args], { cwd: folder, env: { PATH: path } })
  child.stdin.end()
  const [[status], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { status, stdout, stderr }
}

/** Its `journalctl` is the one of the test. */
const run = (folder: string, ...args: string[]) => runWith(`${folder}:${process.env['PATH']}`, folder, ...args)

const unpack = (file: string): Record<string, string> => {
  const folder = newFolder()
  expect(spawnSync('tar', ['-xzf', file, '-C', folder, '--strip-components=1']).status).toBe(0)
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

test('the bundle of a running server says what helps, and holds no secret', async () => {
  const [dataDir, folder] = [newFolder(), newFolder()]
  const { app, ask, addUser, signIn } = await startServer({ dataDir, connect: connectHere, plugins: [streamsPlugin] })
  await addUser('ann', true)
  const cookie = await signIn('ann')
  await ask('PUT', '/v1/admin/configuration', {
    cookie,
    body: { values: { mail: { host: 'mail.example', password: planted.mail } } },
  })
  const source = `rtsp://operator:${encodeURIComponent(planted.camera)}@192.0.2.7/cam`
  const onvif = { url: `http://operator:${encodeURIComponent(planted.onvif)}@192.0.2.7/onvif` }
  await ask('POST', '/v1/stream', {
    cookie,
    body: { name: 'Gate', streamSource: source, substreamSource: source, onvif },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })

  const config = join(folder, 'sightline.toml')
  writeFileSync(config, configuration(dataDir, portOf(app)))
  const logged = Object.values(planted).flatMap(spellings).join(' ')
  const line = `refused: ${logged} rtsp://a:b@host/ ?token=planted-query-7`
  writeFileSync(join(folder, 'journal'), `${line}\n`)
  writeFileSync(join(folder, 'journalctl'), `#!/bin/sh\ncat ${join(folder, 'journal')}\n`, { mode: 0o755 })

  const file = join(folder, 'bundle.tar.gz')
  expect(await run(folder, file, '--config', config)).toEqual({
    status: 0,
    stdout: `The support bundle is ${file}. Check it before you send it.\n`,
    stderr: '',
  })
  expect(statSync(file).mode & 0o077).toBe(0)
  const files = unpack(file)
  const whole = Object.values(files).join('\n')
  const secrets = [...Object.values(planted), password, cookie.split('=')[1] ?? '', 'planted-query-7']
  expect(secrets.flatMap(spellings).filter((secret) => whole.includes(secret))).toEqual([])
  expect(files['log.txt']).toContain('refused: ***')
  const parsed = (name: string): unknown => JSON.parse(files[`${name}.json`] ?? '')
  expect(parsed('versions')).toMatchObject({ sightline: version, node: process.version })
  expect(parsed('configuration')).toMatchObject({
    ADMIN_LOGIN: 'root',
    ADMIN_PASSWORD: '***',
    TUNNEL_COMMAND: 'tunnel',
  })
  expect(parsed('settings')).toMatchObject({ mail: { host: 'mail.example', password: '***' } })
  expect(parsed('counts')).toMatchObject({ users: 1, sessions: 1, streams: 1, chunks: 0 })
  expect(parsed('health')).toMatchObject({ version })
  expect(parsed('ready')).toHaveProperty('checks')

  expect(await run(folder, file, '--config', config)).toMatchObject({ status: 2 })
  expect(await run(folder, '--log', join(folder, 'none'), '--config', config)).toMatchObject({ status: 2 })
})

test('without a server, a database or a journal it says so instead', async () => {
  const [dataDir, folder] = [newFolder(), newFolder()]
  const log = join(folder, 'log')
  writeFileSync(log, 'the last words\n')
  const { status } = await run(folder, 'b.tar.gz', '--log', log, '--data-dir', dataDir)
  const files = unpack(join(folder, 'b.tar.gz'))
  expect({ status, log: files['log.txt'], hasDatabase: existsSync(join(dataDir, 'sightline.db')) }).toEqual({
    status: 0,
    log: 'the last words\n',
    hasDatabase: false,
  })
  expect(JSON.parse(files['counts.json'] ?? '')).toEqual({ failed: `There is no database in ${dataDir}` })
})

test.each(['planted/pass', 'planted#pass', '1234?planted%40pass', 'planted@pass'])(
  'a bundle does not show the password %s, which is not encoded',
  async (secret) => {
    const files = await collectBundle({
      variables: { PORT: '1', MQTT_URL: `mqtt://vms:${secret}@broker.example` },
      dataDir: newFolder(),
      databaseUrl: undefined,
      defaults: builtInValues,
      log: `refused: ${secret}\n`,
    })
    expect(JSON.parse(files['configuration.json'] ?? '')).toEqual({
      PORT: '1',
      MQTT_URL: expect.stringMatching(/^mqtt:\/\/(?:vms:)?\*{3}@broker\.example$/),
    })
    expect(files['log.txt']).toBe('refused: ***\n')
  },
)

test('without tar it says so, and leaves no file', async () => {
  const folder = newFolder()
  const log = join(folder, 'log')
  writeFileSync(log, 'the last words\n')
  const tools = newFolder()
  for (const name of ['dirname', 'readlink']) symlinkSync(join('/usr/bin', name), join(tools, name))
  const args = ['b.tar.gz', '--log', log, '--data-dir', newFolder()]
  const { status, stderr } = await runWith(tools, folder, ...args)
  expect(status).toBe(1)
  expect(stderr).toContain('tar failed: spawn tar ENOENT')
  expect(readdirSync(folder)).toEqual(['log'])
})

test('Ctrl-C while tar runs stops it, and leaves no file', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'log'), 'the last words\n')
  // A terminal interrupts both.
  writeFileSync(join(folder, 'tar'), '#!/bin/sh\nkill -INT $PPID $$\n', { mode: 0o755 })
  expect(await run(folder, 'b.tar.gz', '--log', join(folder, 'log'), '--data-dir', newFolder())).toEqual({
    status: 130,
    stdout: 'Stopped. Nothing was written.\n',
    stderr: 'Stopping; press Ctrl-C again to end at once.\n',
  })
  expect(readdirSync(folder).toSorted()).toEqual(['log', 'tar'])
})
