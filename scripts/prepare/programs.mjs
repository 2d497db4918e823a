// The programs of the system that commands need: installed where that is possible, else named. Plain Node 20.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { debian, fail, find, isDebianRoot, print } from './system.mjs'

/** Node 26 needs libatomic, Node 20 does not. Without it, `node26` ends with the reason. */
export const libatomic = () => {
  if (!isDebianRoot()) return
  const isThere = readdirSync('/usr/lib').some((name) => existsSync(join('/usr/lib', name, 'libatomic.so.1')))
  if (!isThere) debian('libatomic1')
}

const hasFfmpeg = () => find('ffmpeg') !== undefined && find('ffprobe') !== undefined

/** Only prints what is missing: `npm start` may need no ffmpeg, which can't always be seen here. */
export const ffmpeg = () => {
  if (hasFfmpeg()) return print('ffmpeg is there')
  if (isDebianRoot() && debian('ffmpeg')) return
  print('ffmpeg is missing and could not be installed from here. Install it, then run this again:')
  print(
    '  Debian or Ubuntu: sudo apt-get install ffmpeg   Fedora: sudo dnf install ffmpeg   macOS: brew install ffmpeg',
  )
}

export const ffmpegOfTests = () => {
  ffmpeg()
  if (!hasFfmpeg()) process.exit(1)
}

/** Tests make certificates by it. */
export const openssl = () => {
  if (find('openssl') !== undefined) return
  if (isDebianRoot() && debian('openssl')) return
  fail('openssl is missing: install it (Debian: sudo apt-get install openssl)')
}

/** The package is stripped by it. */
export const binutils = () => {
  if (find('strip') !== undefined) return
  if (isDebianRoot() && debian('binutils')) return
  fail('strip is missing: install it (Debian: sudo apt-get install binutils)')
}

export const chromium = () => {
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
export const firefox = () => {
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
export const otherBrowsers = () => {
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

export const postgres = () => {
  if (hasPostgres()) return print('PostgreSQL is there')
  if (isDebianRoot() && debian('postgresql')) return
  fail('PostgreSQL is missing: install it (Debian: sudo apt-get install postgresql)')
}

const cephPackages = ['ceph-mon', 'ceph-osd', 'radosgw']

/** A real S3-compatible server. */
export const s3 = () => {
  if (cephPackages.every((name) => find(name) !== undefined)) return print('Ceph is there')
  if (isDebianRoot() && debian(...cephPackages)) return
  fail(`Ceph is missing: install it (Debian: sudo apt-get install --no-install-recommends ${cephPackages.join(' ')})`)
}

/** For the checks of the package, which are skipped without them. */
export const packagers = () => {
  const missing = ['lintian', 'debootstrap'].filter((name) => find(name) === undefined)
  if (missing.length === 0) return print('lintian and debootstrap are there')
  if (isDebianRoot() && debian(...missing)) return
  const names = missing.join(' ')
  print(`missing, so checks of the package are skipped: ${names} (Debian: sudo apt-get install ${names})`)
}
