import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { completion } from '../../../scripts/package/completion.ts'
import { configExample } from '../../../scripts/package/config-example.ts'
import { dependencies, md5sums } from '../../../scripts/package/control.ts'
import { manPage } from '../../../scripts/package/man-page.ts'
import { closureOf, importsOf, readLock } from '../../../scripts/package/modules.ts'
import { exitCodes } from '../../../server/commands/command.ts'
import { commands } from '../../../server/commands/commands.ts'
import { readConfigFile } from '../../../server/configuration/config-file.ts'
import { settingNames } from '../../../server/configuration/environment.ts'
import { optionTable } from '../../../server/configuration/option-table.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { readOptions } from '../../../server/options.ts'

const written = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-package-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'sightline.toml')
  writeFileSync(file, text)
  return file
}

test('the configuration of the package is the defaults, but for its data folder and the demo', () => {
  const { dataDir, archiveDirs, demo, ...rest } = readOptions(['--config', written(configExample())], {}) ?? {}
  expect({ dataDir, archiveDirs, demo }).toEqual({
    dataDir: '/var/lib/sightline',
    archiveDirs: ['/var/lib/sightline/archive'],
    demo: false,
  })
  expect({ ...readOptions([], {}), ...rest }).toEqual({ ...readOptions([], {}) })
})

test('it shows every option and every setting, with a value that the server takes', () => {
  const names = [...configExample().matchAll(/^#?([A-Z_]+) = /gm)].map(([, name = '']) => name)
  expect(names).toEqual([...optionTable.map(({ name }) => name), ...settingNames])
  const whole = configExample().replaceAll(/^#(?=[A-Z_]+ = )/gm, '')
  expect(Object.keys(readConfigFile(written(whole)).values)).toEqual(names)
  // What these name is nowhere but in the example.
  const absent =
    /^(?:NODE_ID|NODE_URL|TLS_CERT|TLS_KEY|MQTT_CA|MQTT_CERT|MQTT_KEY|ADMIN_LOGIN|UPSTREAM|CONSOLE_CONFIG) = .*$/gm
  const taken = whole.replaceAll(absent, '')
  const { defaults, allowedHosts } = readOptions(['--config', written(taken)], {}) ?? {}
  expect(allowedHosts).toEqual(['cams.example.org', '*.lan'])
  expect(defaults).toEqual({
    ...builtInValues,
    limits: { ...builtInValues.limits, transcodesMax: 4 },
  })
})

test('each option and setting has a comment of its own', () => {
  const lines = configExample().split('\n')
  const bare = lines.filter((line, index) => /^#?[A-Z_]+ = /.test(line) && !/^# \S/.test(lines[index - 1] ?? ''))
  expect(bare).toEqual([])
})

test('the manual page names every command and option', () => {
  const page = manPage('2026-11-25').replaceAll('\\-', '-')
  const names = [...Object.keys(commands), ...optionTable.map(({ name }) => name), 'SIGHTLINE_CONFIG', 'SETTING_…']
  expect(names.filter((name) => !page.includes(name))).toEqual([])
  expect(page.split('\n')[0]).toMatch(/^\.TH SIGHTLINE 8 2026-11-25 "Sightline \d/)
})

test('bash completes commands and options', () => {
  const file = written(completion())
  const complete = (...words: string[]) => {
    const script = `. ${file}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
      _sightline; printf '%s\\n' "\${COMPREPLY[@]}"`
    return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim().split('\n')
  }
  expect(complete('sightline', 'c')).toEqual(['check-config'])
  expect(complete('sightline', 'start', '--da')).toEqual(['--data-dir'])
  expect(complete('sightline', '--config', 'x', '--da')).toEqual(['--data-dir'])
  expect(complete('sightline', 'backup', '--c')).toEqual(['--config'])
  const ofAll = ['--config', '--data-dir', '--help']
  const taken = (command: string, word = '--') => complete('sightline', command, word).toSorted()
  expect(taken('backup')).toEqual(ofAll)
  expect(taken('user', '')).toEqual([...ofAll, '--remove-second-factor', 'reset-password'])
  expect(taken('migrate')).toEqual([...ofAll, '--archive', '--to', '--undo'].toSorted())
  expect(taken('repair')).toEqual([...ofAll, '--forget-volume', '--yes'].toSorted())
  expect(taken('support-bundle')).toEqual([...ofAll, '--log'])
})

test('the server is packed with what it imports, and what that needs, but no tool of development', () => {
  const packages = readLock(resolve('.'))
  const files = globSync(['server/**/*.ts', 'src/api/contract/**/*.ts'], { exclude: ['**/*.test.ts'] })
  const imported = files.flatMap((file) => importsOf(readFileSync(file, 'utf8')))
  expect(imported).toContain('fastify-type-provider-zod')
  expect(imported).not.toContain('node')
  const closure = closureOf(packages, imported)
  expect(closure).toEqual(expect.arrayContaining(['node_modules/pino', 'node_modules/pg-protocol', 'node_modules/zod']))
  expect(closure.filter((path) => packages[path]?.dev === true)).toEqual([])
  expect(closure).not.toContain('node_modules/react')
  expect(() => closureOf(packages, ['no-such-package'])).toThrow('no-such-package')
})

test('the checksums are of all files of the package, hidden ones too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-package-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const path of ['DEBIAN', 'usr/.vite']) mkdirSync(join(folder, path), { recursive: true })
  for (const file of ['DEBIAN/control', 'usr/b', 'usr/.vite/a']) writeFileSync(join(folder, file), '')
  const empty = 'd41d8cd98f00b204e9800998ecf8427e'
  expect(md5sums(folder)).toBe(`${empty}  usr/.vite/a\n${empty}  usr/b\n`)
})

test('systemd starts a server again, but not where another start would fail alike', () => {
  const unit = readFileSync(join(import.meta.dirname, '../../../deploy/sightline.service'), 'utf8')
  const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]
  expect(['Restart', 'RestartSec', 'RestartPreventExitStatus'].map(valueOf)).toEqual([
    'always',
    '100ms',
    `${exitCodes.usage} ${exitCodes.unusableDatabase}`,
  ])
  const page = manPage('2026-11-25').replaceAll('\\-', '-')
  expect(page).toContain(`exits with ${exitCodes.unusableDatabase} if`)
})

test('the server takes the options of compose.yaml', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../deploy/compose.yaml'), 'utf8')
  const composed = /^ {2}sightline:[^]*?\n\n/m.exec(text)?.[0] ?? ''
  const env = Object.fromEntries(
    [...composed.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)].map(([, name, value = '']) => [
      name,
      value.replace(/^\$\{[A-Z_]+:\?\}$/, 'a long password').replace(/^\$\{[A-Z_]+:-(.*)\}$/, '$1'),
    ]),
  )
  expect(readOptions([], env)).toMatchObject({
    databaseUrl: 'postgres://sightline@database/sightline',
    archiveUrl: 's3://sightline/?endpoint=http://bucket:9000&region=us-east-1&forcePathStyle=true',
    administrator: { login: 'a long password', password: 'a long password' },
    allowedHosts: [],
    trustProxy: 'uniquelocal',
  })
})

const deployed = (file: string) => readFileSync(join(import.meta.dirname, '../../../deploy', file), 'utf8')

test('pg_dump of the container can dump the server of compose.yaml', () => {
  const containerfile = deployed('Containerfile')
  expect(containerfile).toMatch(/install -y .* postgresql-client /)
  const [, debian = ''] = /^FROM debian:(\d+)/m.exec(containerfile) ?? []
  const [, server] = /image: postgres:(\d+)$/m.exec(deployed('compose.yaml')) ?? []
  const client = debian === '12' ? 15 : 17
  expect(['12', '13']).toContain(debian)
  expect(Number(server)).toBeGreaterThanOrEqual(15)
  expect(Number(server)).toBeLessThanOrEqual(client)
})

test.each(['http', 'https'])('a container that serves %s is healthy, wherever that is set', (scheme) => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-health-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const answers = `#!/bin/sh\nfor url; do :; done\n[ "$url" = ${scheme}://127.0.0.1:8443/v1/system/ready ]\n`
  writeFileSync(join(folder, 'curl'), answers, { mode: 0o755 })
  const [, health = ''] = /^HEALTHCHECK [^]*?CMD ([^]*)/m.exec(deployed('Containerfile')) ?? []
  const { status } = spawnSync('/bin/sh', ['-c', health], { env: { PATH: folder, PORT: '8443' } })
  expect(status).toBe(0)
})

test('the container has what the package depends on, and sets options that there are', () => {
  const containerfile = deployed('Containerfile')
  // The others are of every Debian, or of Debian's way to install.
  for (const name of ['ffmpeg', 'iproute2', 'libatomic1']) {
    expect(dependencies).toContain(name)
    expect(containerfile).toMatch(new RegExp(`install -y .* ${name} `))
  }
  const known = new Set(optionTable.map(({ name }) => name))
  const [, set = ''] = /^ENV (.*)$/m.exec(containerfile) ?? []
  const composed = /^ {2}sightline:[^]*?\n\n/m.exec(deployed('compose.yaml'))?.[0] ?? ''
  const names = [
    ...[...set.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name),
    ...[...composed.matchAll(/^ {6}([A-Z_]+): /gm)].map(([, name = '']) => name),
  ]
  const ofLibraries = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'PGPASSWORD']
  expect(names.filter((name) => !known.has(name)).toSorted()).toEqual(ofLibraries)
  expect(names).toContain('DATABASE_URL')
})
