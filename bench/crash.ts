import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killRound, type Mishap, type Round } from '../tests/fixtures/crash.ts'
import { smallDisk } from './faults/disk.ts'
import { printTable, resultOf, type Figure } from './figures.ts'
import { repeatableRandom } from './harness.ts'

const mishaps: readonly { name: string; mishap: Mishap }[] = [
  { name: 'kill', mishap: 'none' },
  { name: 'power cut', mishap: 'power' },
  { name: 'older database restored', mishap: 'older' },
  { name: 'full disk', mishap: 'full' },
]
const maxChanges = 40

const figuresOf = ({ name, mishap }: (typeof mishaps)[number], rounds: readonly Round[]): Figure[] => {
  const figure = (what: string, values: readonly number[], worst: number): Figure => ({
    name: `${what}: ${name}`,
    values,
    unit: '',
    goal: { worst, lost: 0 },
  })
  return [
    figure(
      'segments lost of a camera',
      rounds.flatMap(({ lostOfEach }) => lostOfEach),
      1,
    ),
    figure(
      'whole segments deleted',
      rounds.map(({ lost }) => lost.length),
      0,
    ),
    figure(
      'files and rows without each other, numbers that went back, processes that still run',
      rounds.map(
        ({ afterKill, afterStart: { files, rows }, wentBack, survivors }) =>
          // On a full disk files are deleted before their rows (`removeStored`); the start removes these.
          (mishap === 'full' ? 0 : afterKill.rows) + files.length + rows.length + wentBack.length + survivors,
      ),
      0,
    ),
  ]
}

/**
 * `crash`: kills a recording server by SIGKILL, alone or with a power cut, an older database restored or a full disk,
 * and counts what is missing or left behind after the next start. Skips the full disk where none can be mounted.
 */
export async function crash(wanted: RegExp, rounds = 5, seed = 1): Promise<Figure[]> {
  const random = repeatableRandom(seed)
  const folder = mkdtempSync(join(tmpdir(), 'sightline-crash-'))
  const picked = mishaps.filter(({ name }) => wanted.test(name))
  const disk = picked.some(({ mishap }) => mishap === 'full') ? smallDisk() : null
  const figures: Figure[] = []
  try {
    for (const { name, mishap } of picked) {
      const dataDir = mishap === 'full' ? disk?.data : folder
      if (dataDir === undefined) {
        process.stdout.write(`${name}: skipped, as no disk can be mounted\n`)
        continue
      }
      const found: Round[] = []
      for (let round = 1; round <= rounds; round += 1) {
        const changes = 1 + Math.floor(random() * maxChanges)
        const one = await killRound(dataDir, changes, mishap, random, disk ?? undefined)
        process.stdout.write(`${name}, ${round} of ${rounds}: ${JSON.stringify(one)}\n`)
        found.push(one)
      }
      figures.push(...figuresOf({ name, mishap }, found))
    }
    return figures
  } finally {
    disk?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `node bench/crash.ts [rounds] [seed]`: the same without docs/figures.md. Fails where a goal is missed. */
if (import.meta.main) {
  const results = (await crash(/./, Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 1))).map(resultOf)
  printTable(results)
  process.exitCode = results.every(({ isMet }) => isMet === true) ? 0 : 1
}
