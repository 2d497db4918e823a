import { hasFirefox } from './browser.ts'
import { hasPostgres } from './postgres.ts'
import { hasS3 } from './s3.ts'

const postgres = 'sudo apt-get install postgresql'
const ceph = 'sudo apt-get install --no-install-recommends ceph-mon ceph-osd radosgw'
const firefox = 'sudo apt-get install firefox-esr'

/** What `npm test` leaves out on a machine, a line each, and what to install for it. */
export const leftOut = (has = { postgres: hasPostgres(), s3: hasS3(), firefox: hasFirefox() }): string[] => [
  ...(has.postgres ? [] : [`skipped: the tests on PostgreSQL, which is not installed (Debian: ${postgres})`]),
  ...(has.s3 ? [] : [`skipped: the tests of recordings in a bucket, as Ceph is not installed (Debian: ${ceph})`]),
  ...(has.firefox ? [] : [`skipped: the smoke in Firefox, which is not installed (Debian: ${firefox})`]),
]
