import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { isInPath } from '../server/media/programs.ts'
import { version } from '../server/version.ts'
import { firstPicture } from './package/first-picture.ts'
import { makeRoot, whyNoRoot, type CleanRoot } from './package/clean-root.ts'
import { checkContainer } from './package/container.ts'
import { checkUpgrade, olderPackage } from './package/upgrade.ts'

/**
 * Installs the package into a clean Debian, records there, removes it, purges it, and upgrades an older one; then does
 * what the container file says in another clean Debian. Builds the package first without `--deb FILE`; without `--older
 * FILE` the older one is the same with a lower version. `--figures FILE` writes sizes and
 * times as JSON (bench/package.ts).
 */
const { values } = parseArgs({
  options: { deb: { type: 'string' }, older: { type: 'string' }, figures: { type: 'string' } },
})
const root = join(import.meta.dirname, '..')

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** The highest allowed exposure by systemd-analyze. */
const mostExposure = 2.5
const dataDir = '/var/lib/sightline'
const configFile = '/etc/sightline/sightline.toml'

const checkLint = (deb: string): void => {
  if (!isInPath('lintian')) return print('skipped: lintian is missing (Debian: sudo apt-get install lintian)')
  const { stdout } = spawnSync('lintian', ['--tag-display-limit', '0', deb], { encoding: 'utf8' })
  assert.deepEqual(
    stdout.split('\n').filter((line) => line.startsWith('E:')),
    [],
  )
  print('lintian finds no errors')
}

const checkUnit = (): void => {
  if (!isInPath('systemd-analyze')) return print('skipped: systemd-analyze is missing (Debian: systemd)')
  const unit = join(root, 'deploy/sightline.service')
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
    encoding: 'utf8',
  })
  const [, exposure] = /exposure level for sightline\.service: ([\d.]+)/.exec(stdout) ?? []
  assert.ok(Number(exposure) <= mostExposure, `systemd-analyze security: ${exposure ?? stdout}`)
  print(`systemd-analyze security: ${exposure}`)
}

const done = ({ status, output }: ReturnType<CleanRoot['run']>): string => {
  assert.equal(status, 0, output)
  return output.trim()
}

const idOf = (clean: CleanRoot): string => done(clean.run('id', '-u', 'sightline'))
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

/** Starts the service's own command, as its user and without capabilities, on a free port. */
const startService = async (clean: CleanRoot) => {
  const unit = readFileSync(join(clean.path, 'usr/lib/systemd/system/sightline.service'), 'utf8')
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? []
  const asUser = 'setpriv --reuid=sightline --regid=sightline --init-groups --no-new-privs --bounding-set=-all'
  const child = clean.start(...`${asUser} --inh-caps=-all ${command} --port 0`.split(' '))
  const ended = once(child, 'exit')
  const address = await new Promise<string>((resolve, reject) => {
    void ended.then(() => reject(new Error('The server ended')))
    if (child.stdout === null) return
    createInterface(child.stdout).on('line', (line) => {
      const [, found] = /^Sightline is at (http:\S+)\/ui\/$/.exec(line) ?? []
      if (found !== undefined) resolve(found)
      else print(`  ${line}`)
    })
  })
  const stop = async () => {
    child.kill('SIGTERM')
    const [code] = await ended
    assert.equal(code, 0, 'The server must stop by itself')
  }
  return { address, stop }
}

const install = (clean: CleanRoot, deb: string): string =>
  done(clean.run('apt-get', 'install', '-q', '-y', '--no-install-recommends', deb))

const checkInstalled = (clean: CleanRoot): void => {
  const at = (path: string) => join(clean.path, path)
  const uid = Number(idOf(clean))
  assert.equal(modeOf(at(dataDir)), '750')
  assert.equal(statSync(at(dataDir)).uid, uid)
  assert.equal(modeOf(at(configFile)), '640')
  assert.equal(statSync(at(configFile)).uid, 0)
  assert.equal(done(clean.run('sightline', '--version')), `sightline ${version}`)
  assert.equal(done(clean.run('sightline', 'check-config')), `${configFile} is valid.`)
  const completions = '. /usr/share/bash-completion/completions/sightline; complete -p sightline'
  assert.match(done(clean.run('bash', '-c', completions)), /-F _sightline sightline$/)
  assert.ok(existsSync(at('usr/share/man/man8/sightline.8.gz')))
  // The target of the link doesn't exist outside the root.
  assert.ok(lstatSync(at('etc/systemd/system/multi-user.target.wants/sightline.service')).isSymbolicLink())
  print('user, folders, configuration, commands, completion and unit are there')
}

const checkRemoval = (clean: CleanRoot, deb: string): void => {
  const at = (path: string) => join(clean.path, path)
  const kept = [join(dataDir, 'sightline.db'), join(dataDir, 'server.key')]
  const apt = (...args: string[]) => done(clean.run('apt-get', '-q', '-y', ...args))
  apt('remove', 'sightline')
  for (const path of [...kept, configFile]) assert.ok(existsSync(at(path)), path)
  assert.ok(!existsSync(at('usr/lib/sightline')))
  print('removal keeps data and configuration')
  assert.match(apt('purge', 'sightline'), /stay in \/var\/lib\/sightline/)
  for (const path of kept) assert.ok(existsSync(at(path)), path)
  assert.ok(!existsSync(at(configFile)))
  print('purging without an answer keeps data')
  const uid = idOf(clean)
  install(clean, deb)
  assert.equal(idOf(clean), uid)
  const answer = 'sightline sightline/purge-data boolean true'
  done(clean.run('sh', '-c', `echo ${answer} | debconf-set-selections`))
  apt('purge', 'sightline')
  assert.ok(!existsSync(at(dataDir)))
  print('purging deletes data where the answer is yes')
}

const reason = whyNoRoot()
if (reason !== undefined) {
  print(`skipped: the package isn't installed into a clean Debian, as ${reason}`)
  process.exit(0)
}
if (values.deb === undefined) {
  const built = spawnSync(process.execPath, ['scripts/package.ts'], { cwd: root, stdio: 'inherit' })
  assert.equal(built.status, 0, 'The package could not be built')
}
const built = values.deb ?? join(root, 'dist-package', `sightline_${version}_amd64.deb`)
checkLint(built)
checkUnit()
const older = values.older === undefined ? olderPackage(built) : { deb: values.older, remove: () => undefined }
const clean = makeRoot()
const image = clean.copy()
try {
  const deb = clean.bring(built)
  done(clean.run('apt-get', 'update', '-q'))
  const beganAt = performance.now()
  const secondsSince = (moment: number): number => (performance.now() - moment) / 1000
  install(clean, deb)
  const installed = secondsSince(beganAt)
  print(`installed with ffmpeg after ${installed.toFixed(1)} s`)
  checkInstalled(clean)
  const startedAt = performance.now()
  const { address, stop } = await startService(clean)
  const picture = await firstPicture(address).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const [shown, started] = [secondsSince(beganAt), secondsSince(startedAt)]
  print(`first picture after ${shown.toFixed(1)} s, ${started.toFixed(1)} s after the start`)
  await stop()
  assert.deepEqual(picture.warnings, [])
  print(`a segment of ${picture.bytes} bytes decodes; ffmpeg has its sandbox`)
  print('it stopped by itself')
  checkRemoval(clean, deb)
  await checkUpgrade(clean, { deb, older: clean.bring(older.deb) }, { done, start: startService, print })
  const archive = built.replace(/\.deb$/, '.tar.gz')
  await checkContainer(image, archive, print)
  const megabytes = (file: string) => ({ value: statSync(file).size / 1e6, unit: 'MB' })
  if (values.figures !== undefined)
    writeFileSync(
      values.figures,
      JSON.stringify([
        { name: 'Debian package', ...megabytes(built) },
        { name: 'archive', ...megabytes(archive) },
        { name: 'installation in a clean Debian, with ffmpeg → done', value: installed, unit: 's' },
        { name: 'installation → first moving picture', value: shown, unit: 's' },
        { name: 'start of the server → first moving picture', value: started, unit: 's' },
      ]),
    )
} finally {
  clean.remove()
  image.remove()
  older.remove()
}
