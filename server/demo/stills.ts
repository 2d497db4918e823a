import { runTool } from '../media/run-tool.ts'
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
  toneEncoding,
  toneInput,
  videoArguments,
  walkerRows,
  walkSeconds,
  type Drawing,
  type Rows,
  type Scene,
} from './scenes.ts'
import { cutSlice, readParameters, unitsOf, unitType, type ParameterSets, type Slice } from './slices.ts'

/** A drawn band of a picture: slices by the address of their first macroblock in the whole picture. */
export type Band = Map<number, Slice>

/** The bands of keyframes, and those of predicted pictures. */
type Drawn = { key: Band[]; change: Band[] }

/** The clock's rows: hours, tens and ones of minutes, seconds, each from the drawing of its number, and the date. */
export type Clock = Drawn

export type Stills = {
  init: Init
  parameters: ParameterSets
  /** One band for each value of the 4 bits that a group of the strip shows. */
  strip: Drawn
  clock: Clock
  rest: Band
  /** `walk`: one band a second; `pass`: one band a frame, and a last one without the car. */
  walk: Drawn
  pass: Drawn
  tone: Buffer | undefined
}

const maxBytes = 64 * 1024 * 1024
export const blocksOfStripSlice = 5
export const blocksOfClockSlice = 4

const whole = (rows: Rows): number => (rows.last - rows.first + 1) * grid.columns

const encodedBands = async (
  scene: Scene,
  drawing: Drawing,
  count: number,
  rows: Rows,
  blocks: number,
  refreshPictures: 1 | 2,
  signal: AbortSignal,
): Promise<Band[]> => {
  const top = rows.first * 16
  const height = Math.min(pictureSize.height, (rows.last + 1) * 16) - top
  const crop = `crop=${grid.columns * 16}:${height}:0:${top}`
  const { output } = await runTool(
    'ffmpeg',
    [
      '-nostdin',
      '-v',
      'error',
      '-filter_complex',
      sceneGraph(scene, { ...drawing, after: `,setpts=N/(${frameRate}*TB),${crop}${drawing.after ?? ''}` }),
      '-map',
      '[v]',
      '-frames:v',
      String(count),
      ...videoArguments,
      '-g',
      String(refreshPictures),
      '-x264-params',
      `slice-max-mbs=${blocks}:intra-refresh=${refreshPictures - 1}`,
      '-f',
      'h264',
      'pipe:1',
    ],
    { wallClockMs: 60_000, maxBytes, signal },
  )
  const units = unitsOf(output ?? Buffer.alloc(0))
  const sequence = units.find((unit) => unitType(unit) === 7)
  const picture = units.find((unit) => unitType(unit) === 8)
  if (sequence === undefined || picture === undefined) throw new Error('The scene could not be drawn')
  const parameters = readParameters(sequence, picture)
  const bands: Band[] = []
  for (const unit of units) {
    if (unitType(unit) !== 5 && unitType(unit) !== 1) continue
    const slice = cutSlice(unit, parameters)
    if (slice.firstBlock === 0) bands.push(new Map())
    const firstBlock = slice.firstBlock + rows.first * grid.columns
    const left = whole(rows) - slice.firstBlock
    bands.at(-1)?.set(firstBlock, { ...slice, firstBlock, blocks: Math.min(blocks, left) })
  }
  if (bands.length !== count) throw new Error('The scene was not drawn to its end')
  return bands
}

const keyBands = (scene: Scene, drawing: Drawing, count: number, rows: Rows, blocks: number, signal: AbortSignal) =>
  encodedBands(scene, drawing, count, rows, blocks, 1, signal)

/**
 * Bands for predicted pictures. Their slices are predicted, as parsers take a picture with an intra slice for a
 * keyframe; their macroblocks are intra, as the picture before may be any. A refresh over two pictures covers the left
 * half in one and the right half in the next, so each picture is drawn twice; the first two precede any refresh.
 */
const changeBands = async (
  scene: Scene,
  drawing: Drawing,
  count: number,
  rows: Rows,
  blocks: number,
  signal: AbortSignal,
): Promise<Band[]> => {
  const twice = { ...drawing, after: `,tpad=start=1:start_mode=clone,fps=${2 * frameRate}` }
  const halfRow = grid.columns / 2
  const halves = await encodedBands(scene, twice, 2 * count + 2, rows, Math.min(blocks, halfRow), 2, signal)
  const slicesOf = (picture: number, isLeft: boolean) =>
    [...(halves[picture] ?? [])].filter(([first]) => first % grid.columns < halfRow === isLeft)
  return Array.from({ length: count }, (_, index) => {
    const slices = [...slicesOf(2 * index + 2, true), ...slicesOf(2 * index + 3, false)]
    return new Map(slices.toSorted(([a], [b]) => a - b))
  })
}

const drawn = async (...drawing: Parameters<typeof keyBands>): Promise<Drawn> => ({
  key: await keyBands(...drawing),
  change: await changeBands(...drawing),
})

const drawnInit = async (scene: Scene, signal: AbortSignal): Promise<Init> => {
  const { output } = await runTool(
    'ffmpeg',
    [
      '-nostdin',
      '-v',
      'error',
      ...(scene.hasTone ? toneInput : []),
      '-filter_complex',
      sceneGraph(scene, { pts: `N/${frameRate}` }),
      '-map',
      '[v]',
      ...(scene.hasTone ? ['-map', '0:a', ...toneEncoding] : []),
      '-t',
      '2',
      ...videoArguments,
      ...keyframesEverySecond,
      ...fragmentArguments,
    ],
    { wallClockMs: 60_000, maxBytes, signal },
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
    ['-nostdin', '-v', 'error', ...toneInput, ...toneEncoding, '-t', '2', '-f', 'adts', 'pipe:1'],
    {
      wallClockMs: 20_000,
      maxBytes,
      signal,
    },
  )
  const bytes = output ?? Buffer.alloc(0)
  let at = 0
  // The encoder settles after twenty frames; later frames of the tone are identical.
  for (let frame = 0; frame < 40 && at + 7 < bytes.length; frame += 1) at += (bytes.readUInt32BE(at + 3) >> 13) & 0x1fff
  return bytes.subarray(at + 7, at + ((bytes.readUInt32BE(at + 3) >> 13) & 0x1fff))
}

/** The clock and date for the day of a moment (epoch seconds). */
export const drawClock = async (scene: Scene, moment: number, signal: AbortSignal): Promise<Clock> => {
  const rows = { first: grid.clockRow, last: grid.clockRow + grid.clockRows - 1 }
  const time = String.raw`%{eif\:mod(n,24)\:d\:2}\:%{eif\:mod(n,6)\:d}%{eif\:mod(n,10)\:d}\:%{eif\:n\:d\:2}`
  return drawn(scene, { pts: `${Math.floor(moment)}+N/${frameRate}`, time }, 60, rows, blocksOfClockSlice, signal)
}

/** Has ffmpeg draw the parts of a scene; `moment` in epoch seconds. Throws if it fails. */
export const drawStills = async (scene: Scene, moment: number, signal: AbortSignal): Promise<Stills> => {
  const { everySeconds } = scene.car
  const [walker, car] = [walkerRows(scene), carRows(scene)]
  const pass = moment - (moment % everySeconds)
  const all = { first: 0, last: grid.rows - 1 }
  const atRest = { pts: `${pass + passSeconds + 1}+N` }
  const [rest = new Map()] = await keyBands(scene, atRest, 1, all, grid.columns, signal)
  const init = await drawnInit(scene, signal)
  const [parameterSet, pictureSet] = init.video.parameterSets
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
    pass: await drawn(scene, { pts: `${pass}+N/${frameRate}` }, passSeconds * frameRate + 1, car, whole(car), signal),
    tone: scene.hasTone ? await drawnTone(signal) : undefined,
  }
}
