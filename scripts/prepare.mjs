// Brings what a command needs before it runs: packages, Node 26, ffmpeg, a browser, the built console.
// Plain Node 20 without packages, as it runs before there are any. Usage: node scripts/prepare.mjs
// start|dev|cluster|test|test:all|packages|package
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import {
  binutils,
  chromium,
  ffmpeg,
  ffmpegOfTests,
  firefox,
  libatomic,
  openssl,
  otherBrowsers,
  packagers,
  postgres,
  s3,
} from './prepare/programs.mjs'
import { fail, find, outerPath, ownBin, print, root, run } from './prepare/system.mjs'

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

/** Without our own bin folder in the path: an install replaces the Node in it, and some npm need their own Node. */
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
  if (stdout?.startsWith('v26.')) return
  fail(
    `Node 26 does not run here: ${error?.message ?? (stderr || stdout).trim()}\n` +
      'It needs libatomic, which is in the package libatomic1 of Debian and Ubuntu, and libatomic of Fedora.',
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
