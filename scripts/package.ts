import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { version } from '../server/version.ts'
import { completion } from './package/completion.ts'
import { configExample } from './package/config-example.ts'
import { control, debianChangelog, md5sums } from './package/control.ts'
import { copyrightOf } from './package/copyright.ts'
import { manPage } from './package/man-page.ts'
import { closureOf, importsOf, readLock } from './package/modules.ts'

/**
 * Writes `dist-package/sightline_<version>_amd64.deb` and the same as a `.tar.gz`. The same commit gives the same
 * bytes: all times are SOURCE_DATE_EPOCH, by default the commit's.
 */
const root = join(import.meta.dirname, '..')
const out = join(root, 'dist-package')
const tree = join(out, `sightline-${version}`)
const debian = join(out, 'debian')

const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string => {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (status !== 0) throw new Error(`${program} ${args[0] ?? ''} failed: ${error?.message ?? stderr}`)
  return stdout
}

const epoch = process.env['SOURCE_DATE_EPOCH'] ?? run('git', ['log', '-1', '--format=%ct']).trim()
const date = new Date(Number(epoch) * 1000)

const write = (file: string, text: string | Buffer, mode = 0o644): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { mode })
}
const copy = (from: string, to: string, mode = 0o644): void => write(to, readFileSync(join(root, from)), mode)

/** Files that aren't needed at run time: types, sources, maps, texts except licences, tests. */
const isUseless = (path: string): boolean =>
  /\.(?:[cm]?ts|map|md|markdown|html|flow|tsbuildinfo)$/.test(path) ||
  /\/(?:node_modules|tests?|__tests__|benchmarks?|examples?|docs|integration|\.github|\.bin)$/.test(path) ||
  /\/(?:\.[^/]*|tsconfig[^/]*\.json|eslint[^/]*|.*\.tgz)$/.test(path)
const isLicense = (path: string): boolean => /\/(?:licen[cs]e|copying|notice)[^/]*$/i.test(path)

const ownFiles = (): string[] =>
  globSync(['server/**/*.{ts,txt}', 'src/api/contract/**/*.ts'], { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .toSorted()

/** The server, the console, the packages that the server imports, and Node. */
const layTree = (): string[] => {
  const files = ownFiles()
  for (const file of files) copy(file, join(tree, file))
  const imported = files.flatMap((file) => importsOf(readFileSync(join(root, file), 'utf8')))
  const modules = closureOf(readLock(root), [...new Set(imported)].toSorted())
  for (const path of modules) {
    cpSync(join(root, path), join(tree, path), {
      recursive: true,
      filter: (from) => from === join(root, path) || isLicense(from) || !isUseless(from),
    })
  }
  cpSync(join(root, 'dist'), join(tree, 'dist'), { recursive: true })
  copy('bin/sightline', join(tree, 'bin/sightline'), 0o755)
  const node = join(tree, 'node_modules/node/bin/node')
  mkdirSync(dirname(node), { recursive: true })
  copyFileSync(join(root, 'node_modules/node/bin/node'), node)
  run('strip', ['--strip-unneeded', '--remove-section=.comment', '--remove-section=.note', node])
  const product = { name: 'sightline', version, private: true, type: 'module', license: 'MIT' }
  write(join(tree, 'package.json'), `${JSON.stringify(product, null, 2)}\n`)
  return modules
}

const gzipped = (text: string | Buffer): Buffer => gzipSync(text, { level: 9 })
const examples = ['grafana.json', 'alerts.yml', 'nginx.conf', 'Caddyfile']

/** The additional files of the archive, for manual installation. */
const layShare = (share: string): void => {
  write(join(share, 'sightline.toml'), configExample())
  write(join(share, 'sightline.8'), manPage(date.toISOString().slice(0, 10)))
  write(join(share, 'completion.bash'), completion())
  const { summary, texts } = copyrightOf(root, readLock(root))
  write(join(share, 'copyright'), summary)
  write(join(share, 'licences.txt.gz'), gzipped(texts))
  copy('deploy/sightline.service', join(share, 'sightline.service'))
  copy('CHANGELOG.md', join(share, 'CHANGELOG.md'))
  for (const name of examples) copy(`deploy/${name}`, join(share, 'examples', name))
}

const layDebian = (): void => {
  const at = (...path: string[]) => join(debian, ...path)
  const share = join(tree, 'share')
  const doc = at('usr/share/doc/sightline')
  cpSync(tree, at('usr/lib/sightline'), { recursive: true, filter: (path) => path !== share })
  copy('deploy/debian/sightline', at('usr/bin/sightline'), 0o755)
  write(at('etc/sightline/sightline.toml'), readFileSync(join(share, 'sightline.toml')), 0o640)
  write(at('usr/lib/systemd/system/sightline.service'), readFileSync(join(share, 'sightline.service')))
  write(at('usr/share/man/man8/sightline.8.gz'), gzipped(readFileSync(join(share, 'sightline.8'))))
  write(at('usr/share/bash-completion/completions/sightline'), readFileSync(join(share, 'completion.bash')))
  for (const name of ['copyright', 'licences.txt.gz']) write(join(doc, name), readFileSync(join(share, name)))
  write(join(doc, 'changelog.gz'), gzipped(debianChangelog(date)))
  write(join(doc, 'CHANGELOG.md.gz'), gzipped(readFileSync(join(share, 'CHANGELOG.md'))))
  for (const name of examples) write(join(doc, 'examples', name), readFileSync(join(share, 'examples', name)))
  copy('deploy/debian/lintian-overrides', at('usr/share/lintian/overrides/sightline'))
  for (const name of ['postinst', 'prerm', 'postrm']) copy(`deploy/debian/${name}`, at('DEBIAN', name), 0o755)
  copy('deploy/debian/templates', at('DEBIAN/templates'))
  write(at('DEBIAN/conffiles'), '/etc/sightline/sightline.toml\n')
  write(at('DEBIAN/control'), control(debian))
  write(at('DEBIAN/md5sums'), md5sums(debian))
}

/** Sets the modes of copied files, which depend on the umask; the only executable in packages is Node. */
const settleModes = (): void => {
  run('chmod', ['-R', 'u+rwX,go+rX,go-w', tree])
  run('find', [join(tree, 'node_modules'), '-type', 'f', '-exec', 'chmod', '0644', '{}', '+'])
  chmodSync(join(tree, 'node_modules/node/bin/node'), 0o755)
}

if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('The package is built on Linux, x86-64')
process.umask(0o022)
rmSync(out, { recursive: true, force: true })
const modules = layTree()
layShare(join(tree, 'share'))
settleModes()
const base = `sightline_${version}_amd64`
const [archive, deb] = [join(out, `${base}.tar.gz`), join(out, `${base}.deb`)]
run('tar', [
  `--directory=${out}`,
  '--sort=name',
  `--mtime=@${epoch}`,
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '--use-compress-program=gzip -n -9',
  `--file=${archive}.part`,
  '--create',
  `sightline-${version}`,
])
renameSync(`${archive}.part`, archive)
layDebian()
run('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', debian, deb], { SOURCE_DATE_EPOCH: epoch })
rmSync(debian, { recursive: true })
rmSync(tree, { recursive: true })
process.stdout.write(`The server has ${modules.length} packages.\n`)
for (const file of [deb, archive]) process.stdout.write(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB\n`)
