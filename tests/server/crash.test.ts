import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { killRound } from '../fixtures/crash.ts'

test('a killed server leaves no ffmpeg, no row without its file, and nothing that the next start does not mend', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-crash-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  for (const changes of [40, 3, 12]) {
    const round = await killRound(dataDir, changes)
    expect(round.afterKill.rows).toBe(0)
    expect(round.afterStart).toEqual({ files: [], rows: [] })
    expect(round.survivors).toBe(0)
    expect(round.playlists).toBeGreaterThan(0)
    expect(round.segments).toBeGreaterThan(0)
  }
}, 120_000)
