import { currentAddress } from '../../api/browser/location.ts'
import {
  type AddressChange,
  addressOf,
  liveAddress,
  searchOf,
  type PlayerAddress,
} from '../../machines/player/address.ts'
import { type System, writeAddress } from '../shared/page-address.ts'

/** Jumps that follow each other sooner, as with a held arrow key, make one history entry. */
const sameEntryMs = 3000
/** During playback the address is written this often, as browsers limit the rate. */
const advanceMs = 5000
/** Other changes are written once none has followed for this long. */
const settleMs = 300

/**
 * Writes the state of a player into the browser's address. A jump of the user adds a history entry; other changes
 * replace the newest entry: shortly after a change, and every few seconds during playback.
 */
export function createUrlSync() {
  const last = { address: liveAddress, writtenAt: 0, arrivedAt: Number.NEGATIVE_INFINITY, path: '' }
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
    const changesMode = (addressOf(search).at === null) !== (address.at === null)
    const addsEntry = hasArrived && (changesMode || last.writtenAt - last.arrivedAt > sameEntryMs)
    if (hasArrived) last.arrivedAt = last.writtenAt
    writeAddress(system, pathname + next + hash, { replace: !addsEntry })
  }

  return {
    update(system: System, address: PlayerAddress, change: AddressChange): void {
      const now = performance.now()
      const isSameMoment = address.at === last.address.at
      last.address = address
      last.path = currentAddress().pathname
      if (change === 'arrived') write(system, true)
      else if (change === 'changed') {
        clearTimeout(timer)
        timer = setTimeout(() => write(system, false), settleMs)
      } else if (timer === undefined && (isSameMoment || now - last.writtenAt > advanceMs)) write(system, false)
    },
  }
}
