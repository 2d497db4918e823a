import * as files from 'node:fs/promises'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { entryOf, manifestName, verifiedManifest } from '../../../server/backup/manifest.ts'
import { UsageError } from '../../../server/usage-error.ts'

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof files>()
  return { ...original, readFile: vi.fn(original.readFile), stat: vi.fn(original.stat) }
})

const refused = (code: string) => Object.assign(new Error(`${code}: open`), { code, syscall: 'open' })

test('a backup that this user may not read is not taken for a missing or damaged one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-unread-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const manifest = join(folder, manifestName)
  for (const code of ['EACCES', 'EPERM']) {
    vi.mocked(files.readFile).mockRejectedValueOnce(refused(code))
    await expect(verifiedManifest(folder)).rejects.toThrow(new UsageError(`This user may not read ${manifest}`))
  }
  await expect(verifiedManifest(folder)).rejects.toThrow(`There is no backup in ${folder}`)
  writeFileSync(join(folder, 'server.key'), 'key')
  const entry = await entryOf(folder, 'server.key')
  writeFileSync(manifest, JSON.stringify({ format: 1, version: '1', made: '', files: [entry], volumes: [] }))
  vi.mocked(files.stat).mockRejectedValueOnce(refused('EACCES'))
  const key = join(folder, 'server.key')
  await expect(verifiedManifest(folder)).rejects.toThrow(new UsageError(`This user may not read ${key}`))
  rmSync(key)
  await expect(verifiedManifest(folder)).rejects.toThrow('The backup is damaged: server.key is missing')
})
