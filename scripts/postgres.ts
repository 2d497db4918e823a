import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

/** Debian's programs of each version aren't in PATH. */
const folders = (): string[] => {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  return [...versions.map((version) => join(debian, version, 'bin')), ...(process.env['PATH'] ?? '').split(delimiter)]
}

const findPostgres = (): string | undefined => {
  const folder = folders().find((each) => existsSync(join(each, 'initdb')) && existsSync(join(each, 'postgres')))
  return folder === undefined ? undefined : join(folder, 'postgres')
}

export const hasPostgres = (): boolean => findPostgres() !== undefined

/** PostgreSQL refuses to run as root. */
const nobody = 65_534
const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : undefined

export type Postgres = {
  url: string
  /** Kills all its processes by SIGKILL; `start` starts it again. */
  cut: () => Promise<void>
  start: () => Promise<void>
  /** Stops it and removes its data. */
  remove: () => Promise<void>
}

/**
 * A separate PostgreSQL server, on a socket in a temporary folder. Its data survives SIGKILL but not a power cut.
 * `detached`: Ctrl-C on the terminal doesn't reach it, so the caller must remove it.
 */
export const startPostgres = async ({ detached = false } = {}): Promise<Postgres> => {
  const program = findPostgres()
  if (program === undefined) throw new Error('PostgreSQL is not installed (Debian: sudo apt-get install postgresql)')
  const folder = mkdtempSync(join(tmpdir(), 'sightline-pg-'))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const made = spawnSync(
    join(dirname(program), 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...user, cwd: folder, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`)

  const options = {
    listen_addresses: '',
    unix_socket_directories: folder,
    max_connections: '200',
    fsync: 'off',
    full_page_writes: 'off',
  }
  const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const run = async () => {
    const child = spawn(program, ['-D', data, ...args], {
      ...user,
      detached,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const gone = once(child, 'exit')
    const isReady = Promise.withResolvers<void>()
    const lines: string[] = []
    createInterface(child.stderr).on('line', (line) => {
      if (lines.length < 20) lines.push(line)
      if (line.includes('ready to accept connections')) isReady.resolve()
    })
    void gone.then(() => isReady.reject(new Error(`postgres ended: ${lines.join('\n')}`)))
    await isReady.promise
    return { child, gone }
  }
  let running = await run()
  const cut = async (): Promise<void> => {
    running.child.kill('SIGQUIT')
    await running.gone
  }
  return {
    url: `postgres:///postgres?host=${encodeURIComponent(folder)}&user=postgres`,
    cut,
    start: async () => {
      running = await run()
    },
    remove: async () => {
      await cut()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
