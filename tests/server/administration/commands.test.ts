import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test, vi } from 'vitest'
import { warn } from '../../../server/commands/command.ts'
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

test('a warning has the message of its error', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  warn({ err: new Error('no space left'), uid: 'gate' }, 'not checked')
  expect(write.mock.calls).toEqual([['not checked: {"err":"no space left","uid":"gate"}\n']])
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
