import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Holds the demo archive, a server's reserve of 200 MiB, and as much again. */
const size = '1200m'
const refillMs = 300

export interface Disk {
  /** Where a server may keep its data. */
  readonly data: string
  /** Takes all the room that is left; whatever is freed meanwhile too, where it `staysFull`. */
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
  const block = Buffer.alloc(2 ** 20)
  let refilling: NodeJS.Timeout | undefined
  const takeAll = () => {
    const file = openSync(filler, 'a')
    for (let length = block.length; length >= 1;) {
      try {
        writeSync(file, block, 0, length)
      } catch {
        length = Math.floor(length / 16)
      }
    }
    closeSync(file)
  }
  const free = () => {
    clearInterval(refilling)
    rmSync(filler, { force: true })
  }
  return {
    data: join(folder, 'data'),
    fill(staysFull) {
      takeAll()
      if (staysFull) refilling = setInterval(takeAll, refillMs)
    },
    free,
    close() {
      free()
      spawnSync('umount', [folder])
      rmdirSync(folder)
    },
  }
}
