import { isInPath } from '../server/media/programs.ts'
import { hasFirefox } from './browser.ts'
import { hasPostgres } from './postgres.ts'
import { hasS3 } from './s3.ts'

const postgres = 'sudo apt-get install postgresql'
const ceph = 'sudo apt-get install --no-install-recommends ceph-mon ceph-osd radosgw'
const firefox = 'sudo apt-get install firefox-esr'

/** Programs of single checks, the package of Debian that has each, and the checks. */
const tools = [['promtool', 'prometheus', 'the rules for alerts in Prometheus']] as const
/** Those of checks that `npm test` doesn't have. */
const toolsOfAll = [
  ['lintian', 'lintian', 'lintian on the package'],
  ['debootstrap', 'debootstrap', 'the package in a clean Debian'],
  ['systemd-analyze', 'systemd', "the exposure of the package's unit"],
  ['nginx', 'nginx-light', 'the recipe for nginx'],
  ['caddy', 'caddy', 'the recipe for Caddy'],
] as const

type Found = { postgres: boolean; s3: boolean; firefox: boolean; hasTool: (program: string) => boolean }
const found = (): Found => ({ postgres: hasPostgres(), s3: hasS3(), firefox: hasFirefox(), hasTool: isInPath })

/** What `npm test`, or all checks, leave out on a machine, a line each, and what to install for it. */
export const leftOut = (isAll: boolean, has = found()): string[] => [
  ...(has.postgres ? [] : [`skipped: the tests on PostgreSQL, which is not installed (Debian: ${postgres})`]),
  ...(has.s3 ? [] : [`skipped: the tests of recordings in a bucket, as Ceph is not installed (Debian: ${ceph})`]),
  ...(has.firefox ? [] : [`skipped: the smoke in Firefox, which is not installed (Debian: ${firefox})`]),
  ...[...tools, ...(isAll ? toolsOfAll : [])].flatMap(([program, name, checks]) =>
    has.hasTool(program)
      ? []
      : [`skipped: ${checks}, as ${program} is not installed (Debian: sudo apt-get install ${name})`],
  ),
]
