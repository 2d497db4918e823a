import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test, vi } from 'vitest'
import { commands, main } from '../../../server/commands/commands.ts'
import { version } from '../../../server/version.ts'

const sightline = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(resolve('bin/sightline'), args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  })
  return { status, stdout, stderr }
}

test('it says its version, its commands, and that it has no other', () => {
  expect(sightline('--version')).toEqual({ status: 0, stdout: `sightline ${version}\n`, stderr: '' })
  const { status, stdout } = sightline('--help')
  expect({ status, missing: Object.keys(commands).filter((name) => !stdout.includes(`\n  ${name} `)) }).toEqual({
    status: 0,
    missing: [],
  })
  const unknown = sightline('restart')
  expect(unknown).toEqual({
    status: 2,
    stdout: '',
    stderr: 'There is no command restart.\n"sightline --help" lists the commands.\n',
  })
})

test.each(Object.entries(commands))('%s says how it is used', async (name, { usage }) => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  for (const args of [
    [name, '--help'],
    [name, '-h'],
    ['help', name],
  ])
    expect(await main(args, {})).toBe(0)
  expect(write.mock.calls).toEqual(Array.from({ length: 3 }, () => [`${usage}\n`]))
})

test('wrong arguments are named, and where to read on', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  expect(await main(['backup'], {})).toBe(2)
  expect(write.mock.calls).toEqual([
    ['backup takes the folder to write\n"sightline backup --help" says how it is used.\n'],
  ])
})

test('check-config says that a file is valid, or what is wrong, with its line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'sightline.toml')
  writeFileSync(file, 'PORT = 8080\nTRUST_PROXY = "loopback"\n')
  expect(sightline('check-config', '--config', file)).toEqual({ status: 0, stdout: `${file} is valid.\n`, stderr: '' })
  writeFileSync(file, 'PORT = 8080\n\nALLOWED_HOSTS = "*"\n')
  const wrong = `${file}:3: ALLOWED_HOSTS takes names like cams.example.org or *.example.org, not "*"`
  expect(sightline('check-config', '--config', file)).toEqual({ status: 2, stdout: '', stderr: `${wrong}\n` })
  const { status, stderr } = sightline('start', '--config', file)
  expect({ status, error: stderr.split('\n')[0] }).toEqual({ status: 2, error: wrong })
  expect(sightline('check-config', '--bogus')).toMatchObject({ status: 2, stdout: '' })
})

test('check-config reads what the console gets, and the addresses of the proxy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [file, consoleFile] = [join(folder, 'sightline.toml'), join(folder, 'console.json')]
  const set = `CONSOLE_CONFIG = ${JSON.stringify(consoleFile)}`
  const check = (toml: string, json: string) => {
    writeFileSync(file, toml)
    writeFileSync(consoleFile, json)
    const { status, stderr } = sightline('check-config', '--config', file)
    return { status, stderr }
  }
  const refused = (line: number, reason: string) => ({ status: 2, stderr: `${file}:${line}: ${reason}\n` })
  expect(check(set, '{"appTitle": "PORT"}')).toEqual({ status: 0, stderr: '' })
  expect(check(`PORT = 8080\n${set}`, '{"appTitle": 7}')).toEqual(
    refused(2, `CONSOLE_CONFIG: ${consoleFile} does not fit: ✖ Must be text\n  → at appTitle`),
  )
  expect(check(set, '[]')).toEqual(
    refused(1, `CONSOLE_CONFIG: ${consoleFile} must be a JSON object (docs/wire.md §4.1)`),
  )
  expect(check(set, '').stderr).toContain(`${file}:1: CONSOLE_CONFIG: ${consoleFile} must be JSON (`)
  const taken = 'takes addresses, networks like 10.0.0.0/8, loopback, linklocal and uniquelocal'
  expect(check('\nTRUST_PROXY = ["loopback", "proxy.lan"]', '')).toEqual(
    refused(2, `TRUST_PROXY ${taken}, not "loopback,proxy.lan"`),
  )
})

test('check-config refuses an administrator and folders that start would refuse', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'sightline.toml')
  const [disk, link] = [join(folder, 'disk'), join(folder, 'link')]
  const check = (...lines: readonly string[]) => {
    writeFileSync(file, [`DATA_DIR = "${folder}/data"`, ...lines].join('\n'))
    const { status, stderr } = sightline('check-config', '--config', file)
    return { status, stderr }
  }
  const refused = (line: number, reason: string) => ({ status: 2, stderr: `${file}:${line}: ${reason}\n` })
  const administrator = (login: string, password: string) =>
    check(`ADMIN_LOGIN = "${login}"`, `ADMIN_PASSWORD = "${password}"`)
  expect(administrator('root', 'short')).toEqual(refused(3, 'ADMIN_LOGIN, ADMIN_PASSWORD: At least 8 characters'))
  expect(administrator('totp', 'correct horse 7')).toEqual(
    refused(2, 'ADMIN_LOGIN, ADMIN_PASSWORD: This name is reserved'),
  )
  expect(administrator('root', 'correct horse 7')).toEqual({ status: 0, stderr: '' })

  const folders = (...paths: readonly string[]) => check(`ARCHIVE_DIRS = ${JSON.stringify(paths)}`)
  expect(folders(disk)).toEqual(refused(2, `ARCHIVE_DIRS: there is no folder ${disk}; create it on its disk`))
  mkdirSync(disk)
  symlinkSync(disk, link)
  expect(folders(disk, link)).toEqual(refused(2, `ARCHIVE_DIRS names ${disk} twice`))
  expect(folders(disk)).toEqual({ status: 0, stderr: '' })
  expect(readdirSync(disk)).toEqual([])
})

test('start exits with 2, as with wrong options, if it can not create the administrator that they name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'sightline.toml')
  const data = JSON.stringify(join(folder, 'data'))
  writeFileSync(file, `DATA_DIR = ${data}\nPORT = 0\nDEMO = false\nADMIN_LOGIN = "root"\nADMIN_PASSWORD = "short"\n`)
  const { status, stderr } = sightline('start', '--config', file)
  expect({ status, reason: stderr.split('\n')[0] }).toEqual({
    status: 2,
    reason: 'ADMIN_LOGIN, ADMIN_PASSWORD: At least 8 characters',
  })
})

test('start exits with 65 on a database that no start can use', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'sightline.db'), 'not a database, '.repeat(100))
  expect(sightline('start', '--data-dir', folder, '--port', '0')).toEqual({
    status: 65,
    stdout: '',
    stderr: "Sightline could not start. The database can't be read: file is not a database\n",
  })
})
