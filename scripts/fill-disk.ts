import { closeSync, openSync, writeSync } from 'node:fs'

const block = Buffer.alloc(2 ** 20)

/** Makes a file that fills the disk. */
export function fillDisk(path: string): void {
  const file = openSync(path, 'a')
  for (let length = block.length; length >= 1;) {
    try {
      writeSync(file, block, 0, length)
    } catch {
      length = Math.floor(length / 16)
    }
  }
  closeSync(file)
}
