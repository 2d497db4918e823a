import { makeBox } from '../media/boxes.ts'
import { carRows, frameRate, grid, passSeconds, walkerRows, walkSeconds, type Rows, type Scene } from './scenes.ts'
import { placeSlice, skipBlocks, type Picture, type Slice } from './slices.ts'
import { areasAtRest, blocksOfClockSlice, blocksOfStripSlice, type Clock, type Stills } from './stills.ts'

const stripGroups = grid.columns / blocksOfStripSlice
const blocks = grid.columns * grid.rows
const videoTicks = 90_000 / frameRate
const audioFrame = 1024
const audioRate = 48_000

/** Composes the pictures of a scene at any second, byte by byte what an encoder could have written. */
export type Composer = {
  /** A day has begun: its date stands beside the clock from now on. */
  setClock: (clock: Clock) => void
  /** One fragment (moof + mdat) of one or two whole seconds; `media` and `length` in seconds, `second` since 1970. */
  fragment: (second: number, length: number, media: number) => Buffer
}

const header = (version: number, flags: number, rest: number): Buffer => {
  const bytes = Buffer.alloc(4 + rest)
  bytes.writeUInt32BE((version << 24) | flags, 0)
  return bytes
}

const trackFragment = (
  id: number,
  ticks: number,
  decodeTime: number,
  sizes: number[],
  isVideo: boolean,
  dataOffset: number,
) => {
  const tfhd = header(0, 0x020028, 12)
  tfhd.writeUInt32BE(id, 4)
  tfhd.writeUInt32BE(ticks, 8)
  tfhd.writeUInt32BE(0x02000000, 12)
  const tfdt = header(1, 0, 8)
  tfdt.writeBigUInt64BE(BigInt(decodeTime), 4)
  const row = isVideo ? 8 : 4
  const trun = header(0, isVideo ? 0x601 : 0x201, 8 + sizes.length * row)
  trun.writeUInt32BE(sizes.length, 4)
  trun.writeInt32BE(dataOffset, 8)
  sizes.forEach((size, place) => {
    trun.writeUInt32BE(size, 12 + place * row)
    if (isVideo) trun.writeUInt32BE(place === 0 ? 0x02000000 : 0x01010000, 16 + place * row)
  })
  return makeBox('traf', makeBox('tfhd', tfhd), makeBox('tfdt', tfdt), makeBox('trun', trun))
}

const nibble = (tick: number, group: number): number => Math.floor(tick / 16 ** (stripGroups - 1 - group)) % 16

/** Rows and slices repeat, so every unit is written once and kept. */
export const createComposer = (scene: Scene, stills: Stills): Composer => {
  const { parameters } = stills
  let { clock } = stills
  let placed = new Map<Slice, Buffer[]>()
  const skipped = new Map<string, Buffer>()
  const car = carRows(scene)
  const walker = walkerRows(scene)

  const put = (slice: Slice | undefined, picture: Picture): Buffer => {
    if (slice === undefined) throw new Error('A slice is missing')
    const known = placed.get(slice) ?? []
    placed.set(slice, known)
    const key = picture.isKey ? picture.keyId : 2 + (picture.frameNumber % 2 ** parameters.frameNumberBits)
    return (known[key] ??= placeSlice(slice, picture, parameters))
  }
  const skip = (first: number, end: number, picture: Picture): Buffer => {
    const key = `${first} ${end} ${picture.frameNumber % 2 ** parameters.frameNumberBits}`
    const known = skipped.get(key) ?? skipBlocks(first, end - first, picture, parameters)
    skipped.set(key, known)
    return known
  }

  const areas = areasAtRest(scene)

  const stripSlice = (group: number, tick: number, picture: Picture): Buffer =>
    put(stills.strip[nibble(tick, group)]?.get(group * blocksOfStripSlice), picture)

  /** As the clock's slices are cut: hours; tens of minutes; ones of minutes; seconds. */
  const numbersAt = (second: number): number[] => {
    const digits = new Date(second * 1000).toISOString().slice(11, 19)
    return [digits.slice(0, 2), digits.slice(3, 4), digits.slice(4, 5), digits.slice(6, 8)].map(Number)
  }
  const clockBlock = (row: number, place: number): number =>
    row * grid.columns + grid.clockColumn + place * blocksOfClockSlice
  const clockSlice = (row: number, place: number, number: number, picture: Picture): Buffer =>
    put(clock.time[number]?.get(clockBlock(row, place)), picture)

  const keyPicture = (second: number): Buffer[] => {
    const picture = { isKey: true, frameNumber: 0, keyId: Math.floor(second / 2) % 2 }
    const tick = (second * frameRate) % 2 ** 32
    const numbers = numbersAt(second)
    const phase = second % scene.car.everySeconds
    const bands: { row: number; units: Buffer[] }[] = areas.map(({ first }) => {
      const passing = first === car.first && phase < passSeconds ? stills.pass[phase * frameRate] : undefined
      return { row: first, units: [put((passing ?? stills.rest).get(first * grid.columns), picture)] }
    })
    bands.push({
      row: walker.first,
      units: [put(stills.walk[second % walkSeconds]?.get(walker.first * grid.columns), picture)],
    })
    for (let row = grid.clockRow; row < grid.clockRow + grid.clockRows; row += 1) {
      const time = numbers.map((number, place) => clockSlice(row, place, number, picture))
      bands.push({ row, units: [put(clock.date.get(row * grid.columns), picture), ...time] })
    }
    const strip = Array.from({ length: stripGroups }, (_, group) => stripSlice(group, tick, picture))
    return [...strip, ...bands.toSorted((a, b) => a.row - b.row).flatMap((band) => band.units)]
  }

  /** `frame` counts from the key picture, at second `from`. */
  const nextPicture = (from: number, frame: number): Buffer[] => {
    const picture = { isKey: false, frameNumber: frame, keyId: 0 }
    const second = from + Math.floor(frame / frameRate)
    const isNewSecond = frame % frameRate === 0
    const tick = (from * frameRate + frame) % 2 ** 32
    const units: Buffer[] = []
    let done = 0
    const replace = (first: number, count: number, unit: Buffer) => {
      if (first > done) units.push(skip(done, first, picture))
      units.push(unit)
      done = first + count
    }
    const replaceRows = (rows: Rows, slice: Slice | undefined) => {
      replace(rows.first * grid.columns, (rows.last - rows.first + 1) * grid.columns, put(slice, picture))
    }
    for (let group = 0; group < stripGroups; group += 1) {
      if (nibble(tick, group) === nibble(tick - 1, group)) continue
      replace(group * blocksOfStripSlice, blocksOfStripSlice, stripSlice(group, tick, picture))
    }
    if (isNewSecond) replaceRows(walker, stills.walk[second % walkSeconds]?.get(walker.first * grid.columns))
    const phase = second % scene.car.everySeconds
    const first = car.first * grid.columns
    if (phase < passSeconds) replaceRows(car, stills.pass[phase * frameRate + (frame % frameRate)]?.get(first))
    else if (phase === passSeconds && isNewSecond) replaceRows(car, stills.rest.get(first))
    const [before, numbers] = isNewSecond ? [numbersAt(second - 1), numbersAt(second)] : [[], []]
    for (let row = grid.clockRow; row < grid.clockRow + grid.clockRows; row += 1) {
      for (const [place, number] of numbers.entries()) {
        if (before[place] === number) continue
        replace(clockBlock(row, place), blocksOfClockSlice, clockSlice(row, place, number, picture))
      }
    }
    if (done < blocks) units.push(skip(done, blocks, picture))
    return units
  }

  const fragment: Composer['fragment'] = (second, length, media) => {
    const content: Buffer[] = []
    const sizes: number[] = []
    for (let frame = 0; frame < length * frameRate; frame += 1) {
      const units = frame === 0 ? keyPicture(second) : nextPicture(second, frame)
      sizes.push(units.reduce((sum, unit) => sum + unit.length, 0))
      content.push(...units)
    }
    const sound = stills.init.tracks.find((track) => track.kind === 'audio')
    const firstSound = Math.ceil((media * audioRate) / audioFrame)
    const soundCount =
      stills.tone === undefined ? 0 : Math.ceil(((media + length) * audioRate) / audioFrame) - firstSound
    const soundSizes = Array.from({ length: soundCount }, () => stills.tone?.length ?? 0)
    if (stills.tone !== undefined) for (let index = 0; index < soundCount; index += 1) content.push(stills.tone)
    const pictureBytes = sizes.reduce((sum, size) => sum + size, 0)

    const head = (videoOffset: number): Buffer => {
      const mfhd = header(0, 0, 4)
      mfhd.writeUInt32BE(Math.floor(media / length) + 1, 4)
      const video = trackFragment(
        stills.init.video.id,
        videoTicks,
        Math.round(media * 90_000),
        sizes,
        true,
        videoOffset,
      )
      const parts = [makeBox('mfhd', mfhd), video]
      if (sound !== undefined && soundCount > 0) {
        parts.push(
          trackFragment(sound.id, audioFrame, firstSound * audioFrame, soundSizes, false, videoOffset + pictureBytes),
        )
      }
      return makeBox('moof', ...parts)
    }
    return Buffer.concat([head(head(0).length + 8), makeBox('mdat', ...content)])
  }

  return {
    setClock: (next) => {
      clock = next
      placed = new Map()
    },
    fragment,
  }
}
