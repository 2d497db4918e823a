import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { main } from '../../../server/commands/commands.ts'
import { archiveFolder } from '../../../server/storage/folders.ts'
import { markerName, writeMarker } from '../../../server/storage/volume-files.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-check-'))
  file = join(folder, 'sightline.toml')
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

const make = (name: string): string => {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  return path
}

/** The error of check-config, or undefined if the lines are valid. */
const check = async (lines: readonly string[], ...args: readonly string[]): Promise<string | undefined> => {
  writeFileSync(file, lines.join('\n'))
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const code = await main(['check-config', '--config', file, ...args], {})
    const message = written.mock.calls.join('')
    expect({ code, isSilent: message === '' }).toEqual(
      code === 0 ? { code: 0, isSilent: true } : { code: 2, isSilent: false },
    )
    return code === 0 ? undefined : message.trimEnd()
  } finally {
    written.mockRestore()
    printed.mockRestore()
  }
}

test('check-config refuses two folders that are one volume, as by a second mount', async () => {
  const [data, a, b] = [make('data'), make('a'), make('b')]
  const lines = [`DATA_DIR = "${data}"`, '', `ARCHIVE_DIRS = ["${a}", "${b}"]`]
  await writeMarker(a, '7d444840-9dc0-11d1-b245-5ffdce74fad2')
  expect(await check(lines)).toBeUndefined()
  copyFileSync(join(a, markerName), join(b, markerName))
  expect(await check(lines)).toBe(`${file}:3: ARCHIVE_DIRS: ${b} and ${a} are the same volume`)
  rmSync(join(b, markerName))
  const own = archiveFolder(data)
  mkdirSync(own)
  copyFileSync(join(a, markerName), join(own, markerName))
  expect(await check(lines)).toBe(`${file}:3: ARCHIVE_DIRS: ${a} and ${own} are the same volume`)
})

test('check-config refuses a folder whose marker can not be read', async () => {
  const a = make('a')
  make(`a/${markerName}`)
  const reason = `can't be read (EISDIR: illegal operation on a directory, read '${join(a, markerName)}')`
  expect(await check([`DATA_DIR = "${folder}/data"`, `ARCHIVE_DIRS = ["${a}"]`])).toBe(
    `${file}:2: ARCHIVE_DIRS: ${a} ${reason}`,
  )
})

test('check-config refuses a data folder that can not be made or used, and makes none', async () => {
  const plain = join(folder, 'plain')
  writeFileSync(plain, '')
  const refused = (path: string, reason: string) => `DATA_DIR: ${path} can't be used (${reason})`
  expect(await check([`DATA_DIR = "${plain}/data"`])).toBe(`${file}:1: ${refused(plain, 'not a folder')}`)
  // Of the command line: no line of the file is wrong.
  expect(await check([`DATA_DIR = "${folder}/data"`], '--data-dir', plain)).toBe(refused(plain, 'not a folder'))
  const data = make('data')
  symlinkSync(join(folder, 'unmounted'), archiveFolder(data))
  const reason = `ENOENT: no such file or directory, stat '${archiveFolder(data)}'`
  expect(await check([`DATA_DIR = "${data}"`])).toBe(`${file}:1: ${refused(archiveFolder(data), reason)}`)
  expect(await check([`DATA_DIR = "${folder}/deep/er"`])).toBeUndefined()
  expect(readdirSync(folder).toSorted()).toEqual(['data', 'plain', 'sightline.toml'])
})

test.each([
  ['server.key', 'cut off'],
  ['export.key', 'damaged'],
])('check-config refuses a data folder whose %s is %s', async (name, fault) => {
  const data = make('data')
  writeFileSync(join(data, name), 'half a key')
  expect(await check([`DATA_DIR = "${data}"`])).toBe(`${join(data, name)} is ${fault}: restore it from a backup`)
})

test('check-config refuses an address that is not of this machine', async () => {
  const lines = ['PORT = 0', 'HOST = "192.0.2.1"', `DATA_DIR = "${folder}/data"`]
  const reason = 'listen EADDRNOTAVAIL: address not available 192.0.2.1'
  expect(await check(lines)).toBe(`${file}:2: HOST: this machine can't listen on 192.0.2.1 (${reason})`)
  // The console alone is served there, too.
  expect(await check([...lines, 'UPSTREAM = "https://cams.example"'])).toContain(`${file}:2: HOST: `)
})

test('check-config takes a port that the server listens on', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  const address = await new Promise((resolve) => server.once('listening', () => resolve(server.address())))
  const port = typeof address === 'object' && address !== null && 'port' in address ? address.port : 0
  expect(await check([`PORT = ${String(port)}`, `DATA_DIR = "${folder}/data"`])).toBeUndefined()
})

test('check-config reads what the console gets, and the addresses of the proxy', async () => {
  const consoleFile = join(folder, 'console.json')
  const set = [`CONSOLE_CONFIG = ${JSON.stringify(consoleFile)}`, `DATA_DIR = "${folder}/data"`]
  const checkConsole = (json: string, ...before: readonly string[]) => {
    writeFileSync(consoleFile, json)
    return check([...before, ...set])
  }
  expect(await checkConsole('{"appTitle": "PORT"}')).toBeUndefined()
  expect(await checkConsole('{"appTitle": 7}', 'PORT = 8080')).toBe(
    `${file}:2: CONSOLE_CONFIG: ${consoleFile} does not fit: ✖ Must be text\n  → at appTitle`,
  )
  expect(await checkConsole('[]')).toBe(
    `${file}:1: CONSOLE_CONFIG: ${consoleFile} must be a JSON object (docs/wire.md §4.1)`,
  )
  expect(await checkConsole('')).toContain(`${file}:1: CONSOLE_CONFIG: ${consoleFile} must be JSON (`)
  const taken = 'takes addresses, networks like 10.0.0.0/8, loopback, linklocal and uniquelocal'
  expect(await checkConsole('{}', '', 'TRUST_PROXY = ["loopback", "proxy.lan"]')).toBe(
    `${file}:2: TRUST_PROXY ${taken}, not "loopback,proxy.lan"`,
  )
})

test('check-config refuses an administrator that start would refuse', async () => {
  const administrator = (login: string, password: string) =>
    check([`DATA_DIR = "${folder}/data"`, `ADMIN_LOGIN = "${login}"`, `ADMIN_PASSWORD = "${password}"`])
  const names = 'ADMIN_LOGIN, ADMIN_PASSWORD'
  expect(await administrator('root', 'short')).toBe(`${file}:3: ${names}: At least 8 characters`)
  expect(await administrator('totp', 'correct horse 7')).toBe(`${file}:2: ${names}: This name is reserved`)
  expect(await administrator('root', 'correct horse 7')).toBeUndefined()
})

test('check-config refuses folders that start would refuse, and writes to none', async () => {
  const [disk, link] = [join(folder, 'disk'), join(folder, 'link')]
  const folders = (...paths: readonly string[]) =>
    check([`DATA_DIR = "${folder}/data"`, `ARCHIVE_DIRS = ${JSON.stringify(paths)}`])
  expect(await folders(disk)).toBe(`${file}:2: ARCHIVE_DIRS: there is no folder ${disk}; create it on its disk`)
  mkdirSync(disk)
  symlinkSync(disk, link)
  expect(await folders(disk, link)).toBe(`${file}:2: ARCHIVE_DIRS names ${disk} twice`)
  expect(await folders(disk)).toBeUndefined()
  expect(readdirSync(disk)).toEqual([])
})
