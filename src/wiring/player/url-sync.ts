import { currentAddress } from '../../api/browser/location.ts'
import { addressOf, liveAddress, searchOf, type PlayerAddress } from '../../machines/player/address.ts'
import type { AddressChange } from '../../machines/player/player.setup.ts'
import { type System, writeAddress } from '../shared/page-address.ts'

/** Jumps about the archive that follow each other sooner, as with an arrow key held down, are one step of history. */
const oneStepMs = 3000
/** Playing on is written this often; browsers refuse many writes. */
const advanceMs = 5000
const settleMs = 300

/**
 * Writes the player's state into the browser's address: where the viewer went is a step that the back
 * button undoes; all else replaces the newest step, soon after it changed or, while playing goes on, every few seconds.
 */
export function createUrlSync() {
  const last = { address: liveAddress, writtenAt: 0, steppedAt: Number.NEGATIVE_INFINITY, path: '' }
  let timer: ReturnType<typeof setTimeout> | undefined

  function write(system: System, hasArrived: boolean): void {
    clearTimeout(timer)
    timer = undefined
    const { address } = last
    const { pathname, search, hash } = currentAddress()
    if (pathname !== last.path) return
    last.writtenAt = performance.now()
    const next = searchOf(search, address)
    if (next === search) return
    const isTurn = (addressOf(search).at === null) !== (address.at === null)
    const isStep = hasArrived && (isTurn || last.writtenAt - last.steppedAt > oneStepMs)
    if (hasArrived) last.steppedAt = last.writtenAt
    writeAddress(system, pathname + next + hash, { replace: !isStep })
  }

  return {
    keep(system: System, address: PlayerAddress, change: AddressChange): void {
      const now = performance.now()
      const isResting = address.at === last.address.at
      last.address = address
      last.path = currentAddress().pathname
      if (change === 'arrived') write(system, true)
      else if (change === 'changed') {
        clearTimeout(timer)
        timer = setTimeout(() => write(system, false), settleMs)
      } else if (timer === undefined && (isResting || now - last.writtenAt > advanceMs)) write(system, false)
    },
  }
}
