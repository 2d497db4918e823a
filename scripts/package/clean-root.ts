import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'

/**
 * Runs a command with its own root in a mount namespace: chroot would forbid user namespaces, and so ffmpeg's sandbox.
 */
const enter = `
root=$1; shift
mount --bind "$root" "$root"
cd "$root"
mkdir -p .host
pivot_root . .host
mount -t proc proc /proc
mount --rbind /.host/dev /dev
mount -t tmpfs tmpfs /run
umount -l /.host
exec "$@"
`
const inRoot = (root: string, command: readonly string[]): string[] => [
  '--mount',
  '--propagation=private',
  'sh',
  '-ec',
  enter,
  'enter',
  root,
  ...command,
]

/** The package mirror of this machine, if it is a Debian. */
const mirrorOf = (codename: string): string | undefined => {
  const { stdout } = spawnSync(
    'apt-get',
    ['indextargets', '--format', '$(REPO_URI) $(CODENAME) $(ORIGIN)', 'Created-By: Packages'],
    { encoding: 'utf8' },
  )
  const lines = (stdout ?? '').split('\n').map((line) => line.split(' '))
  return lines.find(([, suite, origin]) => suite === codename && origin === 'Debian')?.[0]
}

const debian = (): { codename: string; mirror: string } | undefined => {
  if (!existsSync('/etc/os-release')) return undefined
  const [, codename] = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? []
  const mirror = codename === undefined ? undefined : mirrorOf(codename)
  return codename === undefined || mirror === undefined ? undefined : { codename, mirror }
}

/** Why no root can be made here; undefined if one can. */
export const whyNoRoot = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'it takes root'
  if (spawnSync('debootstrap', ['--version']).status !== 0) {
    return 'debootstrap is missing (Debian: sudo apt-get install debootstrap)'
  }
  if (debian() === undefined) return 'apt names no mirror of Debian here'
  return spawnSync('unshare', ['--mount', 'true']).status === 0 ? undefined : 'no mount namespace can be made'
}

/** The environment of commands in the root, without this machine's variables. */
const plain = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
  DEBIAN_FRONTEND: 'noninteractive',
}

export type CleanRoot = {
  path: string
  /** Runs a command to its end; returns its status and output. */
  run: (...command: string[]) => { status: number | null; output: string }
  start: (...command: string[]) => ChildProcess
  /** Copies a file into /root; returns its path there. */
  bring: (file: string) => string
  copy: () => CleanRoot
  remove: () => void
}

const newFolder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'sightline-root-'))
  // Other users than root need access.
  chmodSync(path, 0o755)
  return path
}

/** A minimal Debian of the same release as this machine. */
export const makeRoot = (): CleanRoot => {
  const { codename = '', mirror = '' } = debian() ?? {}
  const path = newFolder()
  const made = spawnSync('debootstrap', ['--variant=minbase', codename, path, mirror], { encoding: 'utf8' })
  if (made.status !== 0) {
    rmSync(path, { recursive: true, force: true })
    throw new Error(`debootstrap failed: ${made.stdout.split('\n').slice(-5).join('\n')}${made.stderr}`)
  }
  for (const file of ['/etc/resolv.conf', '/etc/hosts']) if (existsSync(file)) copyFileSync(file, join(path, file))
  return rootAt(path)
}

const rootAt = (path: string): CleanRoot => {
  return {
    path,
    run: (...command) => {
      const { status, stdout, stderr, error } = spawnSync('unshare', inRoot(path, command), {
        env: plain,
        encoding: 'utf8',
        input: '',
      })
      return { status, output: `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}` }
    },
    start: (...command) =>
      spawn('unshare', inRoot(path, command), { env: plain, stdio: ['ignore', 'pipe', 'inherit'] }),
    bring: (file) => {
      mkdirSync(join(path, 'root'), { recursive: true })
      copyFileSync(file, join(path, 'root', basename(file)))
      return join('/root', basename(file))
    },
    copy: () => {
      const copied = newFolder()
      const { status, stderr } = spawnSync('cp', ['--archive', `${path}/.`, copied], { encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
      return rootAt(copied)
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
