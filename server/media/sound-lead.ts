import { boxAt, boxesIn, makeBox, type Box } from './boxes.ts'
import { readFragment, type Fragment, type Init, type Track } from './fragments.ts'
import { defaultsIn, rowsIn, trackIdOfTraf, withDataNearer } from './samples.ts'

const slice = (bytes: Buffer, box: Box): Buffer => bytes.subarray(box.start, box.end)

/** A traf of sound without the samples that end by `until` (units of the track), and how many bytes shorter it is. */
const shortened = (bytes: Buffer, traf: Box, until: number): { traf: Buffer; shorterBy: number } => {
  const [tfhd, tfdt] = [boxAt(bytes, 'tfhd', traf), boxAt(bytes, 'tfdt', traf)]
  if (tfhd === undefined || tfdt === undefined || bytes[tfdt.payload] !== 1) {
    return { traf: slice(bytes, traf), shorterBy: 0 }
  }
  const defaults = defaultsIn(bytes, tfhd)
  let at = Number(bytes.readBigInt64BE(tfdt.payload + 4))
  const truns: Buffer[] = []
  for (const trun of boxesIn(bytes, traf.payload, traf.end).filter((box) => box.type === 'trun')) {
    const { count, hasDataOffset, first, stride, durationAt, sizeAt } = rowsIn(bytes, trun)
    let [dropped, droppedBytes] = [0, 0]
    while (dropped < count) {
      const row = first + dropped * stride
      const duration = durationAt === undefined ? defaults.duration : bytes.readUInt32BE(row + durationAt)
      if (at + duration > until) break
      at += duration
      droppedBytes += sizeAt === undefined ? defaults.size : bytes.readUInt32BE(row + sizeAt)
      dropped += 1
    }
    if (dropped === count) continue
    const head = Buffer.from(bytes.subarray(trun.payload, first))
    head.writeUInt32BE(count - dropped, 4)
    if (hasDataOffset) head.writeInt32BE(head.readInt32BE(8) + droppedBytes, 8)
    truns.push(makeBox('trun', head, bytes.subarray(first + dropped * stride, trun.end)))
  }
  const time = Buffer.from(slice(bytes, tfdt))
  time.writeBigInt64BE(BigInt(at), 12)
  const shorter = makeBox('traf', slice(bytes, tfhd), time, ...truns)
  return { traf: shorter, shorterBy: traf.end - traf.start - shorter.length }
}

/** Drops sound before the first picture, which would shift the run. Its bytes stay in mdat without a reference. */
export const withoutLead = (fragment: Fragment, init: Init): Fragment => {
  const sound: Track | undefined = init.tracks.find((track) => track.kind === 'audio')
  const moof = boxAt(fragment.bytes, 'moof')
  if (sound === undefined || moof === undefined) return fragment
  const { bytes } = fragment
  const until = Math.floor(fragment.start * sound.timescale) + sound.editStart
  let shorterBy = 0
  const children = boxesIn(bytes, moof.payload, moof.end).map((box) => {
    if (box.type !== 'traf' || trackIdOfTraf(bytes, box) !== sound.id) return { box, content: slice(bytes, box) }
    const short = shortened(bytes, box, until)
    shorterBy += short.shorterBy
    return { box, content: short.traf }
  })
  const parts = children.map(({ box, content }) => (box.type === 'traf' ? withDataNearer(content, shorterBy) : content))
  const changed = Buffer.concat([bytes.subarray(0, moof.start), makeBox('moof', ...parts), bytes.subarray(moof.end)])
  return readFragment(changed, init) ?? fragment
}
