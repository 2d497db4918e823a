import { h264Arguments, partArguments } from '../media/encoding.ts'

/** A camera that ffmpeg draws. Boxes are `[x, y, w, h, colour]` on 640 × 360; a car takes `passSeconds` to pass. */
export type Scene = {
  title: string
  hasTone: boolean
  ground: string
  boxes: readonly (readonly [number, number, number, number, string])[]
  car: { colour: string; y: number; everySeconds: number; pixelsPerSecond: number }
  walker: { colour: string; y: number; from: number; to: number }
}

export const frameRate = 25
const tickMs = 1000 / frameRate
const width = 640
const height = 360
export const pictureSize = { width, height }
/** Bits of the frame's number, a cell each, in the strip at the top of the picture. */
const cells = 32

const windows = (x: number, y: number, columns: number, rows: number, colour: string) =>
  Array.from({ length: columns * rows }, (_, index) => {
    const column = index % columns
    const row = Math.floor(index / columns)
    return [x + column * 30, y + row * 26, 16, 14, colour] as const
  })

export const scenes: ReadonlyMap<string, Scene> = new Map<string, Scene>([
  [
    'gate',
    {
      title: 'GATE',
      hasTone: false,
      ground: '0x3c4043',
      boxes: [
        [0, 16, 640, 154, '0x8fa7b8'],
        [0, 120, 640, 60, '0x5d7052'],
        [40, 60, 210, 130, '0x7a6a5d'],
        ...windows(60, 80, 6, 3, '0xd9c98a'),
        [300, 110, 16, 110, '0x2a2d30'],
        [560, 110, 16, 110, '0x2a2d30'],
        [300, 100, 276, 14, '0xb3261e'],
        [0, 262, 640, 4, '0xd8d8d0'],
        [0, 190, 640, 6, '0x6f7375'],
      ],
      car: { colour: '0xc9d1d9', y: 212, everySeconds: 97, pixelsPerSecond: 85 },
      walker: { colour: '0x1f4e79', y: 168, from: 330, to: 540 },
    },
  ],
  [
    'yard',
    {
      title: 'YARD',
      hasTone: true,
      ground: '0x54504a',
      boxes: [
        [0, 16, 640, 94, '0xb9c4cc'],
        [0, 84, 640, 60, '0x8a6f52'],
        ...windows(20, 92, 20, 1, '0x43362a'),
        [70, 150, 90, 70, '0x2f6b4f'],
        [168, 160, 70, 60, '0xa04020'],
        [470, 140, 110, 84, '0x31507a'],
        [476, 148, 98, 10, '0x28426a'],
        [0, 226, 640, 3, '0x7b766e'],
      ],
      car: { colour: '0xe0a526', y: 228, everySeconds: 173, pixelsPerSecond: 82 },
      walker: { colour: '0xd9d3c5', y: 190, from: 250, to: 450 },
    },
  ],
  [
    'warehouse',
    {
      title: 'WAREHOUSE',
      hasTone: false,
      ground: '0x6b6e70',
      boxes: [
        [0, 16, 640, 124, '0x3a4048'],
        ...windows(20, 40, 20, 3, '0xb98d55'),
        [0, 66, 640, 4, '0x20242a'],
        [0, 92, 640, 4, '0x20242a'],
        [0, 118, 640, 4, '0x20242a'],
        [180, 140, 280, 90, '0x5c6064'],
        [0, 232, 640, 4, '0xd6b22e'],
      ],
      car: { colour: '0xd6b22e', y: 226, everySeconds: 131, pixelsPerSecond: 84 },
      walker: { colour: '0x222831', y: 186, from: 120, to: 520 },
    },
  ],
])

const strip = (): string => {
  const cell = width / cells
  const ground = `drawbox=0:0:${width}:16:black:fill`
  const bits = Array.from({ length: cells }, (_, index) => {
    const bit = `mod(floor(floor(t*${frameRate}+0.001)/pow(2,${cells - 1 - index})),2)`
    return `drawbox=${index * cell}:0:${cell}:16:white:fill:enable='${bit}'`
  })
  return [ground, ...bits].join(',')
}

const clockLeft = 384
const clockTop = 304
const dateText = String.raw`%{pts\:gmtime\:0\:%Y-%m-%d}`
const timeText = String.raw`%{pts\:gmtime\:0\:%T}`

/** Macroblocks of the picture; the archive is composed of slices on this grid (composer.ts). */
export const grid = {
  columns: width / 16,
  rows: Math.ceil(height / 16),
  clockColumn: clockLeft / 16,
  clockRow: clockTop / 16,
  clockRows: 3,
}
export type Rows = { first: number; last: number }
export const walkSeconds = 30
export const passSeconds = 9
const carHeight = 40
const walkerHeight = 30

const rowsOf = (y: number, high: number): Rows => ({ first: Math.floor(y / 16), last: Math.floor((y + high - 1) / 16) })
export const carRows = (scene: Scene) => rowsOf(scene.car.y, carHeight)
export const walkerRows = (scene: Scene) => rowsOf(scene.walker.y, walkerHeight)

/**
 * `pts`: the time of frame N since 1970, in seconds; `pace`: a filter between it and the drawing; `time`: the text of
 * the clock; `after`: filters that follow.
 */
export type Drawing = { pts: string; pace?: string; time?: string; after?: string }

export const sceneGraph = (scene: Scene, { pts, pace = '', time = timeText, after = '' }: Drawing): string => {
  const { car, walker } = scene
  const background = scene.boxes.map(([x, y, w, h, colour]) => `drawbox=${x}:${y}:${w}:${h}:${colour}:fill`).join(',')
  const still = `d=${1 / frameRate}:r=${frameRate}`
  const phase = `mod(t,${car.everySeconds})`
  const carX = `if(lt(${phase},${passSeconds}),${phase}*${car.pixelsPerSecond}-96,-200)`
  const walkerX = `${walker.from}+${walker.to - walker.from}*abs(mod(t,${walkSeconds})/${walkSeconds / 2}-1)`
  const lettering = `fontcolor=white:borderw=2:bordercolor=black@0.6`
  return [
    `color=c=${scene.ground}:s=${width}x${height}:${still},${background},format=yuv420p,` +
      `loop=loop=-1:size=1:start=0,setpts='floor((${pts})/TB+0.5)'${pace}[ground]`,
    `color=c=${car.colour}:s=96x${carHeight}:${still},drawbox=18:4:22:12:0x202428:fill,` +
      `drawbox=48:4:26:12:0x202428:fill,` +
      `drawbox=12:30:18:10:0x15181b:fill,drawbox=66:30:18:10:0x15181b:fill,format=yuv420p[car]`,
    `color=c=${walker.colour}:s=10x${walkerHeight}:${still},drawbox=2:0:6:7:0xd8a47f:fill,format=yuv420p[walker]`,
    `[ground][walker]overlay=x='${walkerX}':y=${walker.y}[peopled]`,
    `[peopled][car]overlay=x='${carX}':y=${car.y}[busy]`,
    `[busy]${strip()},` +
      `drawtext=text='${scene.title}':font='DejaVu Sans':fontsize=20:${lettering}:x=16:y=${clockTop + 20},` +
      `drawtext=text='${dateText}':font='DejaVu Sans Mono':fontsize=28:${lettering}:` +
      `x=${clockLeft - 190}:y=${clockTop + 14},` +
      `drawtext=text='${time}':font='DejaVu Sans Mono':fontsize=53:${lettering}:` +
      `x=${clockLeft}:y=${clockTop}+(${grid.clockRows * 16}-th)/2${after}[v]`,
  ].join(';')
}

/** A steady tone whose period divides an AAC frame, so that every frame sounds the same. */
export const toneInput = ['-f', 'lavfi', '-i', 'sine=frequency=234.375:sample_rate=48000']
export const toneEncoding = ['-c:a', 'aac', '-b:a', '24k']

export const videoArguments = [...h264Arguments, '-crf', '26', '-sc_threshold', '0', '-threads', '1']
export const keyframesEverySecond = ['-g', String(frameRate), '-keyint_min', String(frameRate)]

/** The tick of frame N: frame 0 has that of the moment at which ffmpeg draws it, however long ffmpeg took to start. */
const liveTick = `(st(0,if(eq(N,0),floor(time(0)*${frameRate}),ld(0)))+N)`

/** The tone's time, too, is that of the clock when it starts: as ffmpeg writes in order, late sound delays pictures. */
const soundFrom = (zeroTick: number): string =>
  `asetpts='st(0,if(eq(N,0),(time(0)-${zeroTick}/${frameRate})/TB-PTS,ld(0)))+PTS'`

/** Otherwise ffmpeg would repeat the first picture from media time 0 on, or move it there. */
const keepingTimes = ['-fps_mode', 'passthrough', '-avoid_negative_ts', 'disabled']

/** A live scene: arguments for ffmpeg, and the moment of media time 0, some time before the first picture. */
export const liveScene = (scene: Scene, now: number): { args: string[]; mediaZeroAt: number } => {
  const zeroTick = Math.floor(now / tickMs)
  const graph = sceneGraph(scene, {
    pts: `${liveTick}/${frameRate}`,
    // Before the drawing, which may take long for the first picture: all others would be as late.
    pace: ',realtime=limit=5',
    after: `,setpts=PTS-${zeroTick}/${frameRate}/TB`,
  })
  return {
    mediaZeroAt: zeroTick * tickMs,
    args: [
      '-nostdin',
      '-v',
      'error',
      ...(scene.hasTone ? ['-re', ...toneInput] : []),
      '-filter_complex',
      graph,
      '-map',
      '[v]',
      ...(scene.hasTone ? ['-map', '0:a', '-af', soundFrom(zeroTick), ...toneEncoding] : []),
      ...videoArguments,
      ...keyframesEverySecond,
      ...keepingTimes,
      ...partArguments,
    ],
  }
}
