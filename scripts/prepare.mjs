// Brings what a command needs before it runs: packages, Node 26, ffmpeg, a browser, the built console.
// Plain Node 20 without packages, as it runs before there are any. Usage: node scripts/prepare.mjs
// start|dev|cluster|test|test:all|packages|package
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const ownBin = join(root, 'node_modules', '.bin')
const outerPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ownBin)

const print = (line) => process.stdout.write(`prepare: ${line}\n`)

const fail = (line) => {
  process.stderr.write(`prepare: ${line}\n`)
  process.exit(1)
}

const find = (program) =>
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

/** Runs a program to its end, `what` said before and after; prints its output only if it fails. */
const run = (what, program, args, env = {}) => {
  print(`${what}…`)
  const startedAt = Date.now()
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    encoding: 'utf8',
  })
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  if (status === 0) {
    print(`${what}: done in ${seconds} s`)
    return true
  }
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`)
  process.stderr.write(`prepare: ${what}: failed after ${seconds} s${error ? ` (${error.message})` : ''}\n`)
  return false
}

const readJson = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

/** Whether node_modules has each package of the lock file in that version, without those for other platforms. */
const hasPackages = () => {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {}
  const present = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages
  if (present === undefined) return false
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional === true || present[path]?.version === version,
  )
}

/** Without our own bin folder in the path: an install replaces the Node in it, and some npm run by their own Node only. */
const runNpm = (what, args) => {
  const npm = find('npm')
  if (npm === undefined) fail('npm is missing: install Node 20 or newer with npm')
  return run(what, npm, args, { PATH: outerPath.join(delimiter) })
}

const packages = () => {
  if (hasPackages()) return print('packages are there')
  // With NODE_ENV=production, npm leaves out what builds the console.
  const kinds = ['--include=dev', '--include=optional']
  if (!runNpm('installing packages', ['ci', ...kinds, '--no-audit', '--no-fund', '--loglevel=error']))
    fail('the packages could not be installed; npm says above why')
}

const node26 = () => {
  const file = join(root, 'node_modules', 'node', 'bin', 'node')
  const isOuter = Number(process.versions.node.split('.')[0]) >= 26 && !existsSync(join(ownBin, 'node'))
  if (isOuter) return
  if (!existsSync(file)) {
    fail(
      'Node 26 did not come with the packages, as npm ignores install scripts here. Bring it with:\n' +
        '  npm rebuild node --ignore-scripts=false',
    )
  }
  const { stdout, stderr, error } = spawnSync(file, ['--version'], { encoding: 'utf8' })
  if (!stdout?.startsWith('v26.')) fail(`Node 26 does not run here: ${error?.message ?? (stderr || stdout).trim()}`)
}

const isDebianRoot = () =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && find('apt-get') !== undefined

let hasLists = false
const debian = (...names) => {
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  // The system may be at its own updates.
  const patient = ['-q', '-o', 'DPkg::Lock::Timeout=300']
  hasLists ||= run('updating the package lists of the system', 'apt-get', ['update', ...patient], quiet)
  return run(
    `installing ${names.join(', ')}`,
    'apt-get',
    ['install', '-y', ...patient, '--no-install-recommends', ...names],
    quiet,
  )
}

/** Where the dynamic linker of Linux looks for libraries. */
const libraryFolders = () => {
  const known = ['/lib', '/lib64', '/usr/lib', '/usr/lib64']
  const perPlatform = ['/lib', '/usr/lib']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.includes('-linux-'))
        .map((name) => join(folder, name)),
    )
  return [...known, ...perPlatform, ...(process.env.LD_LIBRARY_PATH ?? '').split(delimiter).filter(Boolean)]
}

/** Node 26 needs libatomic, Node 20 does not. Before the packages, as npm then finds Node 26 first. */
const libatomic = () => {
  if (process.platform !== 'linux') return
  if (libraryFolders().some((folder) => existsSync(join(folder, 'libatomic.so.1')))) return
  if (isDebianRoot() && debian('libatomic1')) return
  fail(
    'libatomic.so.1 is missing, which Node 26 needs. Install it, then run this again:\n' +
      '  Debian or Ubuntu: sudo apt-get install libatomic1   Fedora: sudo dnf install libatomic',
  )
}

/**
 * `npm start -- --upstream …` needs no ffmpeg, but npm passes no arguments to a pre-script: reads UPSTREAM and, on
 * Linux, the parents' command lines.
 */
const isUpstream = () => {
  if (process.env.UPSTREAM) return true
  let pid = process.ppid
  for (let step = 0; step < 3 && pid > 1; step += 1) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--upstream')) return true
      pid = Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^PPid:\s*(\d+)/m)?.[1] ?? 0)
    } catch {
      return false
    }
  }
  return false
}

const hasFfmpeg = () => find('ffmpeg') !== undefined && find('ffprobe') !== undefined

/** Only says what is missing, as `npm start` may be told to need no ffmpeg in ways that can't be seen here. */
const ffmpeg = () => {
  if (hasFfmpeg()) return print('ffmpeg is there')
  if (isDebianRoot() && debian('ffmpeg')) return
  print('ffmpeg is missing and could not be installed from here. Install it, then run this again:')
  print(
    '  Debian or Ubuntu: sudo apt-get install ffmpeg   Fedora: sudo dnf install ffmpeg   macOS: brew install ffmpeg',
  )
}

const ffmpegOfTests = () => {
  ffmpeg()
  if (!hasFfmpeg()) process.exit(1)
}

/** Tests make certificates by it. */
const openssl = () => {
  if (find('openssl') !== undefined) return
  if (isDebianRoot() && debian('openssl')) return
  fail('openssl is missing: install it (Debian: sudo apt-get install openssl)')
}

/** The package is stripped by it. */
const binutils = () => {
  if (find('strip') !== undefined) return
  if (isDebianRoot() && debian('binutils')) return
  fail('strip is missing: install it (Debian: sudo apt-get install binutils)')
}

const chromium = () => {
  const named = process.env.CHROMIUM
  if (named) {
    if (!existsSync(named)) fail(`CHROMIUM names ${named}, which is not there`)
    return print('a browser is there')
  }
  const known = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  if (known.some((name) => find(name) !== undefined)) return print('a browser is there')
  if (isDebianRoot() && debian('chromium')) return
  fail(
    'Chromium is missing: install it (Debian: sudo apt-get install chromium) or name one by CHROMIUM=/path/to/chrome',
  )
}

const hasFirefox = () => ['firefox-esr', 'firefox'].some((name) => find(name) !== undefined)
const firefoxPackages = 'Debian: sudo apt-get install firefox-esr'

/** For the smoke test of `npm test`, which scripts/test.ts skips without Firefox. */
const firefox = () => {
  if (hasFirefox()) return print('Firefox is there')
  if (isDebianRoot() && debian('firefox-esr')) return
  print(`Firefox is missing, so its smoke is skipped. To have it: install Firefox (${firefoxPackages})`)
}

const webkitPackages = [
  'webkit2gtk-driver',
  'xvfb',
  'xauth',
  'dbus',
  'gstreamer1.0-libav',
  'gstreamer1.0-gl',
  'gstreamer1.0-plugins-base',
  'gstreamer1.0-plugins-good',
  'gstreamer1.0-plugins-bad',
]

/** WebKitGTK starts without these plugins of GStreamer, but plays nothing. */
const hasPlugins = () => {
  const names = ['', '../lib64', ...readdirSync('/usr/lib')]
  const folders = names.map((name) => join('/usr/lib', name, 'gstreamer-1.0'))
  const plugins = ['libgstlibav.so', 'libgstopengl.so', 'libgstisomp4.so', 'libgstvideoparsersbad.so']
  return folders.some((folder) => plugins.every((name) => existsSync(join(folder, name))))
}

/** The other browsers of the journey (e2e/browsers). */
const otherBrowsers = () => {
  if (!hasFirefox() && !(isDebianRoot() && debian('firefox-esr')))
    fail(`Firefox is missing: install it (${firefoxPackages})`)
  const isThere =
    ['WebKitWebDriver', 'Xvfb', 'dbus-run-session'].every((name) => find(name) !== undefined) && hasPlugins()
  if (!isThere && !(isDebianRoot() && debian(...webkitPackages))) {
    fail(`WebKitGTK is missing: install it (Debian: sudo apt-get install ${webkitPackages.join(' ')})`)
  }
  print('Firefox and WebKitGTK are there')
}

const hasPostgres = () =>
  find('initdb') !== undefined ||
  (existsSync('/usr/lib/postgresql') && readdirSync('/usr/lib/postgresql').some((name) => /^\d+$/.test(name)))

const postgres = () => {
  if (hasPostgres()) return print('PostgreSQL is there')
  if (isDebianRoot() && debian('postgresql')) return
  fail('PostgreSQL is missing: install it (Debian: sudo apt-get install postgresql)')
}

const cephPackages = ['ceph-mon', 'ceph-osd', 'radosgw']

/** A real S3-compatible server. */
const s3 = () => {
  if (cephPackages.every((name) => find(name) !== undefined)) return print('Ceph is there')
  if (isDebianRoot() && debian(...cephPackages)) return
  fail(`Ceph is missing: install it (Debian: sudo apt-get install --no-install-recommends ${cephPackages.join(' ')})`)
}

/** For the checks of the package, which are skipped without them. */
const packagers = () => {
  const missing = ['lintian', 'debootstrap'].filter((name) => find(name) === undefined)
  if (missing.length === 0) return print('lintian and debootstrap are there')
  if (isDebianRoot() && debian(...missing)) return
  const names = missing.join(' ')
  print(`missing, so checks of the package are skipped: ${names} (Debian: sudo apt-get install ${names})`)
}

const newest = (path) => {
  if (!existsSync(path)) return 0
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
}

const isBuilt = (folder) => {
  const sources = ['src', 'public', 'scripts', 'index.html', 'vite.config.ts', 'lingui.config.ts', 'package-lock.json']
  const builtAt = newest(join(root, folder, 'index.html'))
  return builtAt > 0 && builtAt >= Math.max(...sources.map((name) => newest(join(root, name))))
}

const dist = () => {
  if (isBuilt('dist')) return print('the console is built')
  if (!runNpm('building the console', ['run', '--silent', 'build'])) fail('the console could not be built')
}

/** The build of the console that reports its edges (e2e/walk). */
const walk = () => {
  if (isBuilt('dist-walk')) return print('the console for the walk is built')
  if (!runNpm('building the console for the walk', ['run', '--silent', 'build:walk']))
    fail('the console for the walk could not be built')
}

const node = [libatomic, packages, node26]
const plans = {
  start: () => [...node, ...(isUpstream() ? [] : [ffmpeg]), dist],
  dev: () => [...node, ffmpeg],
  cluster: () => [...node, ffmpeg, postgres, s3, dist],
  test: () => [...node, ffmpegOfTests, openssl, chromium, firefox, dist],
  'test:all': () => [
    ...node,
    ffmpegOfTests,
    openssl,
    chromium,
    otherBrowsers,
    postgres,
    s3,
    binutils,
    packagers,
    dist,
    walk,
  ],
  packages: () => node,
  package: () => [...node, binutils, dist],
}

const plan = plans[process.argv[2] ?? '']
if (plan === undefined) fail(`usage: node scripts/prepare.mjs ${Object.keys(plans).join('|')}`)
for (const step of plan()) step()
