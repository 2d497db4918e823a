import { expect, test } from 'vitest'
import { leftOut } from '../scripts/left-out.ts'

const all = { postgres: true, s3: true, firefox: true, hasTool: () => true }

test('npm test says what it leaves out and what to install', () => {
  expect(leftOut(false, all)).toEqual([])
  expect(leftOut(false, { ...all, postgres: false, s3: false, firefox: false })).toEqual([
    'skipped: the tests on PostgreSQL, which is not installed (Debian: sudo apt-get install postgresql)',
    'skipped: the tests of recordings in a bucket, as Ceph is not installed ' +
      '(Debian: sudo apt-get install --no-install-recommends ceph-mon ceph-osd radosgw)',
    'skipped: the smoke in Firefox, which is not installed (Debian: sudo apt-get install firefox-esr)',
  ])
})

test('all checks say so of the programs of single checks, too', () => {
  const lines = leftOut(true, { ...all, hasTool: () => false })
  expect(lines).toHaveLength(6)
  expect(lines).toEqual(expect.arrayContaining(leftOut(false, { ...all, hasTool: () => false })))
  expect(lines[1]).toBe(
    'skipped: lintian on the package, as lintian is not installed (Debian: sudo apt-get install lintian)',
  )
})
