import { expect, test } from 'vitest'
import { leftOut } from '../scripts/left-out.ts'

test('npm test says what it leaves out and what to install', () => {
  expect(leftOut({ postgres: true, s3: true, firefox: true })).toEqual([])
  expect(leftOut({ postgres: false, s3: false, firefox: false })).toEqual([
    'skipped: the tests on PostgreSQL, which is not installed (Debian: sudo apt-get install postgresql)',
    'skipped: the tests of recordings in a bucket, as Ceph is not installed ' +
      '(Debian: sudo apt-get install --no-install-recommends ceph-mon ceph-osd radosgw)',
    'skipped: the smoke in Firefox, which is not installed (Debian: sudo apt-get install firefox-esr)',
  ])
})
