import { runTool } from '../media/process.ts'
import { readInit, type Init } from '../media/fragments.ts'
import { boxesIn } from '../media/boxes.ts'
import { fragmentArguments } from '../media/encoding.ts'
import {
  carRows,
  frameRate,
  grid,
  keyframesEverySecond,
  passSeconds,
  pictureSize,
  sceneGraph,
  toneArguments,
  videoArguments,
  walkerRows,
  walkSeconds,
  type Drawing,
  type Rows,
  type Scene,
} from './scenes.ts'
import { cutSlice, readParameters, unitsOf, unitType, type Parameters, type Slice } from './slices.ts'

/** A drawn band of a picture as its slices, by the macroblock of the whole picture that each begins with. */
export type Band = Map<number, Slice>

/** The day beside the clock, one slice a row; and the clock: hours, tens and ones of minutes, seconds, each from the band of its number. */
export type Clock = { date: Band; time: Band[] }

/** Everything an archive of a scene is composed of. */
export type Stills = {
  init: Init
  parameters: Parameters
  /** By the 4 bits that all eight groups of the strip show. */
  strip: Band[]
  clock: Clock
  /** The scene at rest, a slice for each of `areasAtRest`. */
  rest: Band
  /** By the second of the walk, and by the frame of a car's pass; one slice. */
  walk: Band[]
  pass: Band[]
  /** One frame of the steady tone, where the scene has one. */
  tone: Buffer | undefined
}

const mostBytes = 64 * 1024 * 1024
export const blocksOfStripSlice = 5
export const blocksOfClockSlice = 4

const drawn = async (
  scene: Scene,
  drawing: Drawing,
  count: number,
  rows: Rows,
  blocks: number,
  signal: AbortSignal,
): Promise<Band[]> => {
  const crop = `crop=${grid.columns * 16}:${Math.min(pictureSize.height, (rows.last + 1) * 16) - rows.first * 16}:0:${rows.first * 16}`
  const { output } = await runTool(
    'ffmpeg',
    [
      '-nostdin',
      '-v',
      'error',
      '-filter_complex',
      sceneGraph(scene, { ...drawing, after: `,setpts=N/(${frameRate}*TB),${crop}` }),
      '-map',
      '[v]',
      '-frames:v',
      String(count),
      ...videoArguments,
      '-g',
      '1',
      '-x264-params',
      `slice-max-mbs=${blocks}`,
      '-f',
      'h264',
      'pipe:1',
    ],
    { wallClockMs: 60_000, maxBytes: mostBytes, signal },
  )
  const units = unitsOf(output ?? Buffer.alloc(0))
  const sequence = units.find((unit) => unitType(unit) === 7)
  const picture = units.find((unit) => unitType(unit) === 8)
  if (sequence === undefined || picture === undefined) throw new Error('The scene could not be drawn')
  const parameters = readParameters(sequence, picture)
  const bands: Band[] = []
  for (const unit of units) {
    if (unitType(unit) !== 5) continue
    const slice = cutSlice(unit, parameters)
    if (slice.firstBlock === 0) bands.push(new Map())
    const firstBlock = slice.firstBlock + rows.first * grid.columns
    bands.at(-1)?.set(firstBlock, { ...slice, firstBlock })
  }
  if (bands.length !== count) throw new Error('The scene was not drawn to its end')
  return bands
}

const whole = (rows: Rows): number => (rows.last - rows.first + 1) * grid.columns

/** The bands that never change but for a car: what lies between strip, walker and clock. */
export const areasAtRest = (scene: Scene): Rows[] => {
  const [walker, car] = [walkerRows(scene), carRows(scene)]
  const clock = { first: grid.clockRow, last: grid.clockRow + grid.clockRows - 1 }
  const cuts = [1, walker.first, walker.last + 1, car.first, car.last + 1, clock.first, clock.last + 1, grid.rows]
  return cuts
    .slice(1)
    .map((cut, place) => ({ first: cuts[place] ?? 0, last: cut - 1 }))
    .filter(({ first, last }) => last >= first && first !== walker.first && first !== clock.first)
}

const drawnInit = async (scene: Scene, signal: AbortSignal): Promise<Init> => {
  const tone = [toneArguments.slice(0, 4), toneArguments.slice(4)]
  const { output } = await runTool(
    'ffmpeg',
    [
      '-nostdin',
      '-v',
      'error',
      ...(scene.hasTone ? (tone[0] ?? []) : []),
      '-filter_complex',
      sceneGraph(scene, { pts: `N/${frameRate}` }),
      '-map',
      '[v]',
      ...(scene.hasTone ? ['-map', '0:a', ...(tone[1] ?? [])] : []),
      '-t',
      '2',
      ...videoArguments,
      ...keyframesEverySecond,
      ...fragmentArguments,
    ],
    { wallClockMs: 60_000, maxBytes: mostBytes, signal },
  )
  const bytes = output ?? Buffer.alloc(0)
  const heads = boxesIn(bytes).filter((box) => box.type === 'ftyp' || box.type === 'moov')
  const init = readInit(Buffer.concat(heads.map((box) => bytes.subarray(box.start, box.end))))
  if (init === undefined) throw new Error('The scene could not be encoded')
  return init
}

const drawnTone = async (signal: AbortSignal): Promise<Buffer> => {
  const { output } = await runTool(
    'ffmpeg',
    ['-nostdin', '-v', 'error', ...toneArguments, '-t', '2', '-f', 'adts', 'pipe:1'],
    {
      wallClockMs: 20_000,
      maxBytes: mostBytes,
      signal,
    },
  )
  const bytes = output ?? Buffer.alloc(0)
  let at = 0
  // The encoder has settled after twenty frames; from then on every frame of the tone is like the next.
  for (let frame = 0; frame < 40 && at + 7 < bytes.length; frame += 1) at += (bytes.readUInt32BE(at + 3) >> 13) & 0x1fff
  return bytes.subarray(at + 7, at + ((bytes.readUInt32BE(at + 3) >> 13) & 0x1fff))
}

/** The clock and its date, for the day that holds a moment (epoch seconds). */
export const drawClock = async (scene: Scene, moment: number, signal: AbortSignal): Promise<Clock> => {
  const rows = { first: grid.clockRow, last: grid.clockRow + grid.clockRows - 1 }
  const time = String.raw`%{eif\:mod(n,24)\:d\:2}\:%{eif\:mod(n,6)\:d}%{eif\:mod(n,10)\:d}\:%{eif\:n\:d\:2}`
  const pts = `${Math.floor(moment)}+N/${frameRate}`
  const date: Band = new Map()
  for (let row = rows.first; row <= rows.last; row += 1) {
    const [band] = await drawn(scene, { pts }, 1, { first: row, last: row }, grid.clockColumn, signal)
    const slice = band?.get(row * grid.columns)
    if (slice !== undefined) date.set(slice.firstBlock, slice)
  }
  return { date, time: await drawn(scene, { pts, time }, 60, rows, blocksOfClockSlice, signal) }
}

/** Has ffmpeg draw a scene in pieces; `moment` is in epoch seconds. Throws where it can't. */
export const drawStills = async (scene: Scene, moment: number, signal: AbortSignal): Promise<Stills> => {
  const { everySeconds } = scene.car
  const [walker, car] = [walkerRows(scene), carRows(scene)]
  const pass = moment - (moment % everySeconds)
  const rest: Band = new Map()
  for (const area of areasAtRest(scene)) {
    const [band] = await drawn(scene, { pts: `${pass + passSeconds + 1}+N` }, 1, area, whole(area), signal)
    for (const [first, slice] of band ?? []) rest.set(first, slice)
  }
  const init = await drawnInit(scene, signal)
  const { parameterSet, pictureSet } = init.video
  if (parameterSet === undefined || pictureSet === undefined) throw new Error('The scene has no pictures')
  return {
    init,
    parameters: readParameters(parameterSet, pictureSet),
    rest,
    strip: await drawn(
      scene,
      { pts: `N*${0x11111111}/${frameRate}` },
      16,
      { first: 0, last: 0 },
      blocksOfStripSlice,
      signal,
    ),
    clock: await drawClock(scene, moment, signal),
    walk: await drawn(
      scene,
      { pts: `${moment - (moment % walkSeconds)}+N` },
      walkSeconds,
      walker,
      whole(walker),
      signal,
    ),
    pass: await drawn(scene, { pts: `${pass}+N/${frameRate}` }, passSeconds * frameRate, car, whole(car), signal),
    tone: scene.hasTone ? await drawnTone(signal) : undefined,
  }
}
