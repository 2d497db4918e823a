import { makeBox } from '../media/boxes.ts'
import { carRows, frameRate, grid, passSeconds, walkerRows, walkSeconds, type Rows, type Scene } from './scenes.ts'
import { writeSlice, skipBlocks, type Picture, type Slice } from './slices.ts'
import { blocksOfClockSlice, blocksOfStripSlice, type Band, type Clock, type Stills } from './stills.ts'

const stripGroups = grid.columns / blocksOfStripSlice
const blocks = grid.columns * grid.rows
const videoTicks = 90_000 / frameRate
/** Samples in a frame of AAC. */
const audioFrameSamples = 1024
const audioSamplesPerSecond = 48_000
/** Flags of a sample (ISO 14496-12): it depends on no other one; it depends on others and isn't a sync sample. */
const independentSample = 0x02000000
const dependentSample = 0x01010000
/** `tfhd` has a duration and flags for all samples, and offsets count from the `moof`. */
const headerFlags = 0x020028
/** `trun` has the offset of the data, and of each sample its size; for pictures also its flags. */
const runFlags = { sound: 0x201, pictures: 0x601 }

/** Composes the pictures of a scene at any second, as an encoder could have written them. */
export type Composer = {
  setClock: (clock: Clock) => void
  /** One fragment (moof + mdat) of 1 or 2 s. `second`: its start, epoch seconds; `media`: the same in media time. */
  fragment: (second: number, length: number, media: number) => Buffer
}

/** The payload of a full box: version and flags, and zeros for `rest` bytes to be written. */
const fullBox = (version: number, flags: number, rest: number): Buffer => {
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
  const tfhd = fullBox(0, headerFlags, 12)
  tfhd.writeUInt32BE(id, 4)
  tfhd.writeUInt32BE(ticks, 8)
  tfhd.writeUInt32BE(independentSample, 12)
  const tfdt = fullBox(1, 0, 8)
  tfdt.writeBigUInt64BE(BigInt(decodeTime), 4)
  const row = isVideo ? 8 : 4
  const trun = fullBox(0, isVideo ? runFlags.pictures : runFlags.sound, 8 + sizes.length * row)
  trun.writeUInt32BE(sizes.length, 4)
  trun.writeInt32BE(dataOffset, 8)
  sizes.forEach((size, position) => {
    trun.writeUInt32BE(size, 12 + position * row)
    if (isVideo) trun.writeUInt32BE(position === 0 ? independentSample : dependentSample, 16 + position * row)
  })
  return makeBox('traf', makeBox('tfhd', tfhd), makeBox('tfdt', tfdt), makeBox('trun', trun))
}

/** The four bits of a frame's number that a group of the strip shows. */
const nibble = (tick: number, group: number): number => Math.floor(tick / 16 ** (stripGroups - 1 - group)) % 16

const rowsFrom = ({ first, last }: Rows): number[] => Array.from({ length: last - first + 1 }, (_, row) => first + row)
const clockRows = rowsFrom({ first: grid.clockRow, last: grid.clockRow + grid.clockRows - 1 })

const bandAt = (bands: readonly Band[], position: number): Band => {
  const band = bands[position]
  if (band === undefined) throw new Error('A drawing is missing')
  return band
}
const sliceAt = (band: Band, firstBlock: number): Slice => {
  const slice = band.get(firstBlock)
  if (slice === undefined) throw new Error('A slice is missing')
  return slice
}

/** Rows and slices repeat, so every NAL unit is written once and cached. */
export const createComposer = (scene: Scene, stills: Stills): Composer => {
  const { parameters } = stills
  let { clock } = stills
  let sliceUnits = new Map<Slice, Buffer[]>()
  const skipUnits = new Map<string, Buffer>()
  const car = carRows(scene)
  const walker = walkerRows(scene)

  const unitOf = (slice: Slice, picture: Picture): Buffer => {
    const known = sliceUnits.get(slice) ?? []
    sliceUnits.set(slice, known)
    const key = picture.isKey ? picture.keyId : 2 + (picture.frameNumber % 2 ** parameters.frameNumberBits)
    return (known[key] ??= writeSlice(slice, picture, parameters))
  }
  const skipUnitOf = (first: number, end: number, picture: Picture): Buffer => {
    const key = `${first} ${end} ${picture.frameNumber % 2 ** parameters.frameNumberBits}`
    const known = skipUnits.get(key) ?? skipBlocks(first, end - first, picture, parameters)
    skipUnits.set(key, known)
    return known
  }

  const numbersAt = (second: number): number[] => {
    const digits = new Date(second * 1000).toISOString().slice(11, 19)
    return [digits.slice(0, 2), digits.slice(3, 4), digits.slice(4, 5), digits.slice(6, 8)].map(Number)
  }
  const clockBlock = (row: number, position: number): number =>
    row * grid.columns + grid.clockColumn + position * blocksOfClockSlice

  /** The slices that differ from the picture before, in order. `from`: the start of the fragment, epoch seconds. */
  const slicesAt = (from: number, frame: number): Slice[] => {
    const kind = frame === 0 ? 'key' : 'change'
    const second = from + Math.floor(frame / frameRate)
    const isNewSecond = frame % frameRate === 0
    const tick = (from * frameRate + frame) % 2 ** 32
    const phase = second % scene.car.everySeconds
    const slices: Slice[] = []
    for (let group = 0; group < stripGroups; group += 1) {
      const bits = nibble(tick, group)
      if (kind === 'change' && bits === nibble(tick - 1, group)) continue
      slices.push(sliceAt(bandAt(stills.strip[kind], bits), group * blocksOfStripSlice))
    }
    const isPassing = phase < passSeconds || (phase === passSeconds && isNewSecond)
    if (isPassing) slices.push(...bandAt(stills.pass[kind], phase * frameRate + (frame % frameRate)).values())
    if (isNewSecond) {
      slices.push(...bandAt(stills.walk[kind], second % walkSeconds).values())
      const [before, numbers] = [numbersAt(second - 1), numbersAt(second)]
      for (const [position, number] of numbers.entries()) {
        if (kind === 'change' && before[position] === number) continue
        for (const row of clockRows) slices.push(sliceAt(bandAt(clock[kind], number), clockBlock(row, position)))
      }
    }
    if (kind === 'key') {
      const moving = [0, ...rowsFrom(walker), ...(isPassing ? rowsFrom(car) : []), ...clockRows]
      for (const [first, slice] of stills.rest) if (!moving.includes(first / grid.columns)) slices.push(slice)
      for (const [first, slice] of bandAt(clock.key, 0)) if (first % grid.columns < grid.clockColumn) slices.push(slice)
    }
    return slices.toSorted((a, b) => a.firstBlock - b.firstBlock)
  }

  const pictureAt = (from: number, frame: number): Buffer[] => {
    const picture = { isKey: frame === 0, frameNumber: frame, keyId: Math.floor(from / 2) % 2 }
    const units: Buffer[] = []
    let done = 0
    for (const slice of slicesAt(from, frame)) {
      if (slice.firstBlock > done) units.push(skipUnitOf(done, slice.firstBlock, picture))
      units.push(unitOf(slice, picture))
      done = slice.firstBlock + slice.blocks
    }
    if (done < blocks) units.push(skipUnitOf(done, blocks, picture))
    return units
  }

  const fragment: Composer['fragment'] = (second, length, media) => {
    const content: Buffer[] = []
    const sizes: number[] = []
    for (let frame = 0; frame < length * frameRate; frame += 1) {
      const units = pictureAt(second, frame)
      sizes.push(units.reduce((sum, unit) => sum + unit.length, 0))
      content.push(...units)
    }
    const sound = stills.init.tracks.find((track) => track.kind === 'audio')
    const firstSound = Math.ceil((media * audioSamplesPerSecond) / audioFrameSamples)
    const soundCount =
      stills.tone === undefined
        ? 0
        : Math.ceil(((media + length) * audioSamplesPerSecond) / audioFrameSamples) - firstSound
    const soundSizes = Array.from({ length: soundCount }, () => stills.tone?.length ?? 0)
    if (stills.tone !== undefined) for (let index = 0; index < soundCount; index += 1) content.push(stills.tone)
    const pictureBytes = sizes.reduce((sum, size) => sum + size, 0)

    const head = (videoOffset: number): Buffer => {
      const mfhd = fullBox(0, 0, 4)
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
          trackFragment(
            sound.id,
            audioFrameSamples,
            firstSound * audioFrameSamples,
            soundSizes,
            false,
            videoOffset + pictureBytes,
          ),
        )
      }
      return makeBox('moof', ...parts)
    }
    return Buffer.concat([head(head(0).length + 8), makeBox('mdat', ...content)])
  }

  return {
    setClock: (next) => {
      clock = next
      sliceUnits = new Map()
    },
    fragment,
  }
}
