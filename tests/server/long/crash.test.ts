import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { killRound } from '../../fixtures/crash.ts'

/** `node bench/crash.ts` kills twenty times, with power cuts, older databases and full disks among them. */
test('a killed server leaves no ffmpeg, no row without its file, and nothing that the next start does not bring back', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-crash-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const round = await killRound(dataDir, 40, 'none', () => 0.5)
  expect(round.afterKill.rows).toBe(0)
  expect(round).toMatchObject({ afterStart: { files: [], rows: [] }, lost: [], wentBack: [], survivors: 0 })
  expect(round.lostOfEach.filter((count) => count > 1)).toEqual([])
  expect(round.playlists).toBeGreaterThan(0)
  expect(round.segments).toBeGreaterThan(0)
  expect(round.synced).toBeGreaterThan(0)
}, 240_000)
