import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillDisk } from '../../scripts/fill-disk.ts'

/** Holds the demo archive, a server's reserve of 200 MiB, and as much again. */
const size = '1200m'
const refillMs = 300

export interface Disk {
  /** Where a server may keep its data. */
  readonly data: string
  /** Fills the disk; with `staysFull` also what is freed meanwhile. */
  fill(staysFull: boolean): void
  /** Gives it back. */
  free(): void
  close(): void
}

/** A file system of its own, in memory; null where none may be mounted. */
export function smallDisk(): Disk | null {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-disk-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).status !== 0) {
    rmdirSync(folder)
    return null
  }
  const filler = join(folder, 'filler')
  let refilling: NodeJS.Timeout | undefined
  const assignAll = () => fillDisk(filler)
  const free = () => {
    clearInterval(refilling)
    rmSync(filler, { force: true })
  }
  return {
    data: join(folder, 'data'),
    fill(staysFull) {
      assignAll()
      if (staysFull) refilling = setInterval(assignAll, refillMs)
    },
    free,
    close() {
      free()
      spawnSync('umount', [folder])
      rmdirSync(folder)
    },
  }
}
