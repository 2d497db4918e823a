import { currentAddress, goTo } from '../api/browser/location.ts'
import { searchOf, type PlayerAddress } from '../machines/player/address.ts'
import type { AddressChange } from '../machines/player/player.setup.ts'

/** Jumps that follow each other sooner, as with an arrow key held down, are one step of history. */
const oneStepMs = 3000
/** Playing on is written this often; browsers refuse many writes. */
const advanceMs = 5000
const settleMs = 300

/**
 * Writes what the player says of itself into the browser's address: where the viewer went is a step that the back button
 * undoes; all else replaces the newest step, soon after it changed or, while playing goes on, every few seconds.
 */
export function createAddressKeeper() {
  const last = { at: null as number | null, writtenAt: 0, steppedAt: Number.NEGATIVE_INFINITY, path: '' }
  let timer: ReturnType<typeof setTimeout> | undefined

  function write(address: PlayerAddress, isStep: boolean): void {
    clearTimeout(timer)
    timer = undefined
    const { pathname, search, hash } = currentAddress()
    if (pathname !== last.path) return
    last.writtenAt = performance.now()
    const next = searchOf(search, address)
    if (next !== search) goTo(pathname + next + hash, { replace: !isStep })
  }

  return {
    keep(address: PlayerAddress, change: AddressChange): void {
      const now = performance.now()
      const isResting = address.at === last.at
      last.at = address.at
      last.path = currentAddress().pathname
      if (change === 'arrived') {
        write(address, now - last.steppedAt > oneStepMs)
        last.steppedAt = now
      } else if (change === 'changed') {
        clearTimeout(timer)
        timer = setTimeout(() => write(address, false), settleMs)
      } else if (timer === undefined && (isResting || now - last.writtenAt > advanceMs)) write(address, false)
    },
  }
}
