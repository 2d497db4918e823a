import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killRound, type Mishap } from '../tests/fixtures/crash.ts'
import { repeatableRandom } from './harness.ts'

/**
 * Kills a recording server by SIGKILL, `node bench/kill9.ts [rounds] [seed]`, every third time with a power cut and
 * every third with an older database restored, and prints what each kill left behind.
 */
const rounds = Number(process.argv[2] ?? 20)
const random = repeatableRandom(Number(process.argv[3] ?? 1))
const mishaps: readonly Mishap[] = ['none', 'power', 'older']
const dataDir = mkdtempSync(join(tmpdir(), 'sightline-kill9-'))
let bad = 0
for (let round = 1; round <= rounds; round += 1) {
  const mishap = mishaps[round % mishaps.length] ?? 'none'
  const found = await killRound(dataDir, 1 + Math.floor(random() * 40), mishap, random)
  const left = [found.afterStart.files, found.afterStart.rows, found.lost, found.wentBack].flat()
  if (found.afterKill.rows + left.length + found.survivors > 0) bad += 1
  process.stdout.write(`${round} (${mishap}): ${JSON.stringify(found)}\n`)
}
rmSync(dataDir, { recursive: true, force: true })
process.stdout.write(`${rounds} kills, ${bad} with anything lost or left behind\n`)
process.exitCode = bad === 0 ? 0 : 1
