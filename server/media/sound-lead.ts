import { boxAt, boxesIn, bytesOfBox, makeBox, type Box } from './boxes.ts'
import { readFragment, type Fragment, type Init } from './fragments.ts'
import { defaultsIn, rowsIn, trackIdOfTraf, withDataNearer } from './samples.ts'

/** A traf of sound from `from` on (units of the track), and how many bytes shorter it is. */
const shortened = (bytes: Buffer, traf: Box, from: number): { traf: Buffer; shorterBy: number } => {
  const [tfhd, tfdt] = [boxAt(bytes, 'tfhd', traf), boxAt(bytes, 'tfdt', traf)]
  if (tfhd === undefined || tfdt === undefined || bytes[tfdt.payload] !== 1) {
    return { traf: bytesOfBox(bytes, traf), shorterBy: 0 }
  }
  const defaults = defaultsIn(bytes, tfhd)
  let at = Number(bytes.readBigInt64BE(tfdt.payload + 4))
  const truns: Buffer[] = []
  for (const trun of boxesIn(bytes, traf.payload, traf.end).filter((box) => box.type === 'trun')) {
    const { count, hasDataOffset, first, stride, durationAt, sizeAt } = rowsIn(bytes, trun)
    let [dropped, droppedBytes] = [0, 0]
    while (dropped < count && at < from) {
      const row = first + dropped * stride
      at += durationAt === undefined ? defaults.duration : bytes.readUInt32BE(row + durationAt)
      droppedBytes += sizeAt === undefined ? defaults.size : bytes.readUInt32BE(row + sizeAt)
      dropped += 1
    }
    if (dropped === count) continue
    const head = Buffer.from(bytes.subarray(trun.payload, first))
    head.writeUInt32BE(count - dropped, 4)
    if (hasDataOffset) head.writeInt32BE(head.readInt32BE(8) + droppedBytes, 8)
    truns.push(makeBox('trun', head, bytes.subarray(first + dropped * stride, trun.end)))
  }
  const time = Buffer.from(bytesOfBox(bytes, tfdt))
  time.writeBigInt64BE(BigInt(at), 12)
  const shorter = makeBox('traf', bytesOfBox(bytes, tfhd), time, ...truns)
  return { traf: shorter, shorterBy: traf.end - traf.start - shorter.length }
}

/**
 * Drops the samples of sound that begin before the first picture, as they would shift the run. Their bytes stay in mdat
 * without a reference.
 */
export const withoutSoundLead = (fragment: Fragment, init: Init): Fragment => {
  const sound = init.tracks.find((track) => track.kind === 'audio')
  const moof = boxAt(fragment.bytes, 'moof')
  if (sound === undefined || moof === undefined) return fragment
  const { bytes } = fragment
  const from = Math.floor(fragment.start * sound.timescale) + sound.editStart
  let shorterBy = 0
  const children = boxesIn(bytes, moof.payload, moof.end).map((box) => {
    if (box.type !== 'traf' || trackIdOfTraf(bytes, box) !== sound.id) return { box, content: bytesOfBox(bytes, box) }
    const short = shortened(bytes, box, from)
    shorterBy += short.shorterBy
    return { box, content: short.traf }
  })
  const parts = children.map(({ box, content }) => (box.type === 'traf' ? withDataNearer(content, shorterBy) : content))
  const changed = Buffer.concat([bytes.subarray(0, moof.start), makeBox('moof', ...parts), bytes.subarray(moof.end)])
  return readFragment(changed, init) ?? fragment
}
