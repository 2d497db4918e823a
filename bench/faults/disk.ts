import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillDisk } from '../../scripts/fill-disk.ts'

/** Room for the demo archive, the server's reserve of 200 MiB, and as much again. */
const size = '1200m'
const refillMs = 300

export interface Disk {
  /** The mount point. */
  readonly data: string
  /** Fills the disk; with `staysFull` also the space that is freed later. */
  fill(staysFull: boolean): void
  /** Frees the space. */
  free(): void
  close(): void
}

/** A separate file system in memory; null if none can be mounted. */
export function smallDisk(): Disk | null {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-disk-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).status !== 0) {
    rmdirSync(folder)
    return null
  }
  const filler = join(folder, 'filler')
  let refilling: NodeJS.Timeout | undefined
  const fillRest = () => fillDisk(filler)
  const free = () => {
    clearInterval(refilling)
    rmSync(filler, { force: true })
  }
  return {
    data: join(folder, 'data'),
    fill(staysFull) {
      fillRest()
      if (staysFull) refilling = setInterval(fillRest, refillMs)
    },
    free,
    close() {
      free()
      spawnSync('umount', [folder])
      rmdirSync(folder)
    },
  }
}
