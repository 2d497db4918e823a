import { expect, test } from 'vitest'
import { hasRight, noRights, type Right, rightsOf, withRight } from './rights.ts'

const all = rightsOf(['download-right'])
type Change = readonly [right: Right, isGranted: boolean]

/** The ticked columns after some changes, and what is sent of downloads. */
const after = (...changes: readonly Change[]) => {
  const start: Parameters<typeof withRight>[0] = noRights
  const permission = changes.reduce((before, [right, isGranted]) => withRight(before, right, isGranted), start)
  return [all.filter((right) => hasRight(permission, right)), permission.canDownload]
}

test('a server without the feature has no column of downloads', () => {
  expect(rightsOf(['groups'])).toEqual(['canView', 'canViewArchive', 'canAdmin'])
  expect(all).toEqual(['canView', 'canViewArchive', 'canDownload', 'canAdmin'])
})

test.each<[what: string, changes: readonly Change[], ticked: readonly Right[], sent: false | undefined]>([
  ['live', [['canView', true]], ['canView'], undefined],
  [
    'the archive, which brings downloads',
    [['canViewArchive', true]],
    ['canView', 'canViewArchive', 'canDownload'],
    undefined,
  ],
  [
    'downloads, which bring the archive',
    [['canDownload', true]],
    ['canView', 'canViewArchive', 'canDownload'],
    undefined,
  ],
  ['administration, which brings all', [['canAdmin', true]], all, undefined],
  [
    'the archive without downloads',
    [
      ['canViewArchive', true],
      ['canDownload', false],
    ],
    ['canView', 'canViewArchive'],
    false,
  ],
  [
    'administration, then no downloads',
    [
      ['canAdmin', true],
      ['canDownload', false],
    ],
    ['canView', 'canViewArchive'],
    false,
  ],
  [
    'no downloads of no archive',
    [
      ['canView', true],
      ['canDownload', false],
    ],
    ['canView'],
    undefined,
  ],
  [
    'live or the archive once more, which lift no restriction',
    [
      ['canViewArchive', true],
      ['canDownload', false],
      ['canView', true],
      ['canViewArchive', true],
    ],
    ['canView', 'canViewArchive'],
    false,
  ],
  [
    'downloads again',
    [
      ['canViewArchive', true],
      ['canDownload', false],
      ['canDownload', true],
    ],
    ['canView', 'canViewArchive', 'canDownload'],
    undefined,
  ],
  [
    'the archive anew, which forgets the restriction',
    [
      ['canViewArchive', true],
      ['canDownload', false],
      ['canViewArchive', false],
      ['canViewArchive', true],
    ],
    ['canView', 'canViewArchive', 'canDownload'],
    undefined,
  ],
  [
    'administration after a restriction, then withdrawn',
    [
      ['canViewArchive', true],
      ['canDownload', false],
      ['canAdmin', true],
      ['canAdmin', false],
    ],
    ['canView', 'canViewArchive', 'canDownload'],
    undefined,
  ],
])('ticking %s', (_what, changes, ticked, sent) => {
  expect(after(...changes)).toEqual([ticked, sent])
})
