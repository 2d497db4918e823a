import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkFolder } from '../../../server/storage/volume-checks.ts'
import { spaceOf } from '../../../server/storage/volume-files.ts'
import { ownVolume } from '../../../server/storage/volume-list.ts'

const checkedWith = async (prepare: (checkFile: string) => void) => {
  const path = mkdtempSync(join(tmpdir(), 'sightline-volume-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  prepare(join(path, 'sightline-volume.check'))
  return (await checkFolder({ id: ownVolume, key: '', path, isListed: true }, false, spaceOf)).state
}

test('a full disk is not unwritable, so that old recordings are deleted from it', async () => {
  expect(await checkedWith((checkFile) => symlinkSync('/dev/full', checkFile))).toBe('there')
  expect(await checkedWith((checkFile) => mkdirSync(checkFile))).toBe('unwritable')
  expect(await checkedWith(() => undefined)).toBe('there')
})
