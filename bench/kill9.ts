import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killRound } from '../tests/fixtures/crash.ts'

/** Kills a recording server with SIGKILL, `node bench/kill9.ts [rounds]` times, and says what each kill left behind. */
const rounds = Number(process.argv[2] ?? 20)
const dataDir = mkdtempSync(join(tmpdir(), 'sightline-kill9-'))
let bad = 0
for (let round = 1; round <= rounds; round += 1) {
  const found = await killRound(dataDir, 1 + Math.floor(Math.random() * 40))
  const isBad = found.afterKill.rows + found.afterStart.files.length + found.afterStart.rows.length + found.survivors > 0
  if (isBad) bad += 1
  process.stdout.write(`${round}: ${JSON.stringify(found)}\n`)
}
rmSync(dataDir, { recursive: true, force: true })
process.stdout.write(`${rounds} kills, ${bad} with anything left behind\n`)
process.exitCode = bad === 0 ? 0 : 1
