// What the steps of scripts/prepare.mjs need of the system. Plain Node 20 without packages.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const ownBin = join(root, 'node_modules', '.bin')
export const outerPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ownBin)

export const print = (line) => process.stdout.write(`prepare: ${line}\n`)

export const fail = (line) => {
  process.stderr.write(`prepare: ${line}\n`)
  process.exit(1)
}

export const find = (program) =>
  outerPath
    .map((folder) => join(folder, program))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })

const patienceMs = 300_000
/** The system may be at its own updates: apt-get waits for the lock of dpkg, but not for that of its lists. */
const isBusy = (stderr) => /lists\/lock/.test(stderr ?? '')
const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** Runs a program to its end, prints `what` before and after, and its output only if it fails. */
export const run = (what, program, args, env = {}) => {
  print(`${what}…`)
  const startedAt = Date.now()
  const attempt = () =>
    spawnSync(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
      encoding: 'utf8',
    })
  let result = attempt()
  while (result.status !== 0 && isBusy(result.stderr) && Date.now() - startedAt < patienceMs) {
    pause(5000)
    result = attempt()
  }
  const { status, stdout, stderr, error } = result
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  if (status === 0) {
    print(`${what}: done in ${seconds} s`)
    return true
  }
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`)
  process.stderr.write(`prepare: ${what}: failed after ${seconds} s${error ? ` (${error.message})` : ''}\n`)
  return false
}

export const isDebianRoot = () =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && find('apt-get') !== undefined

let hasLists = false
export const debian = (...names) => {
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  hasLists ||= run('updating the package lists of the system', 'apt-get', ['update', '-q'], quiet)
  const options = ['-y', '-q', '--no-install-recommends', '-o', `DPkg::Lock::Timeout=${patienceMs / 1000}`]
  return run(`installing ${names.join(', ')}`, 'apt-get', ['install', ...options, ...names], quiet)
}
