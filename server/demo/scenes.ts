import { fragmentArguments, h264Arguments } from '../media/encoding.ts'

/** A camera that ffmpeg draws. Boxes are `[x, y, w, h, colour]` on 640 × 360; the car crosses for nine seconds every `everySeconds`. */
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
        [0, 20, 640, 150, '0x8fa7b8'],
        [0, 120, 640, 60, '0x5d7052'],
        [40, 60, 210, 130, '0x7a6a5d'],
        ...windows(60, 80, 6, 3, '0xd9c98a'),
        [300, 110, 16, 110, '0x2a2d30'],
        [560, 110, 16, 110, '0x2a2d30'],
        [300, 100, 276, 14, '0xb3261e'],
        [0, 262, 640, 4, '0xd8d8d0'],
        [0, 190, 640, 6, '0x6f7375'],
      ],
      car: { colour: '0xc9d1d9', y: 214, everySeconds: 97, pixelsPerSecond: 85 },
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
        [0, 20, 640, 90, '0xb9c4cc'],
        [0, 84, 640, 60, '0x8a6f52'],
        ...windows(20, 92, 20, 1, '0x43362a'),
        [70, 150, 90, 70, '0x2f6b4f'],
        [168, 160, 70, 60, '0xa04020'],
        [470, 140, 110, 84, '0x31507a'],
        [476, 148, 98, 10, '0x28426a'],
        [0, 226, 640, 3, '0x7b766e'],
      ],
      car: { colour: '0xe0a526', y: 236, everySeconds: 173, pixelsPerSecond: 82 },
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
        [0, 20, 640, 120, '0x3a4048'],
        ...windows(20, 40, 20, 3, '0xb98d55'),
        [0, 66, 640, 4, '0x20242a'],
        [0, 92, 640, 4, '0x20242a'],
        [0, 118, 640, 4, '0x20242a'],
        [180, 140, 280, 90, '0x5c6064'],
        [0, 232, 640, 4, '0xd6b22e'],
      ],
      car: { colour: '0xd6b22e', y: 222, everySeconds: 131, pixelsPerSecond: 84 },
      walker: { colour: '0x222831', y: 186, from: 120, to: 520 },
    },
  ],
])

const strip = (w: number): string => {
  const cell = w / cells
  const rows = `drawbox=0:0:${w}:${cell}:black:fill`
  const bits = Array.from({ length: cells }, (_, index) => {
    const bit = `mod(floor(floor(t*${frameRate}+0.001)/pow(2,${cells - 1 - index})),2)`
    return `drawbox=${index * cell}:0:${cell}:${cell}:white:fill:enable='${bit}'`
  })
  return [rows, ...bits].join(',')
}

const clockText = String.raw`%{pts\:gmtime\:0\:%Y-%m-%d %T}`

/** The pictures of a scene from a tick (1/25 s since 1970) on, as one filter graph that ends in `[v]`. */
const graph = (scene: Scene, firstTick: number, pace: string): string => {
  const { car, walker } = scene
  const background = scene.boxes.map(([x, y, w, h, colour]) => `drawbox=${x}:${y}:${w}:${h}:${colour}:fill`).join(',')
  const still = `d=${1 / frameRate}:r=${frameRate}`
  const carX = `if(lt(mod(t,${car.everySeconds}),9),mod(t,${car.everySeconds})*${car.pixelsPerSecond}-96,-200)`
  const span = walker.to - walker.from
  return [
    `color=c=${scene.ground}:s=${width}x${height}:${still},${background},format=yuv420p,` +
      `loop=loop=-1:size=1:start=0,setpts=N/(${frameRate}*TB)+${firstTick}/(${frameRate}*TB)[ground]`,
    `color=c=${car.colour}:s=96x40:${still},drawbox=18:4:22:12:0x202428:fill,drawbox=48:4:26:12:0x202428:fill,` +
      `drawbox=12:30:18:10:0x15181b:fill,drawbox=66:30:18:10:0x15181b:fill,format=yuv420p[car]`,
    `color=c=${walker.colour}:s=10x30:${still},drawbox=2:0:6:7:0xd8a47f:fill,format=yuv420p[walker]`,
    `[ground][walker]overlay=x='${walker.from}+abs(mod(t*14,${span * 2})-${span})':y=${walker.y}[peopled]`,
    `[peopled][car]overlay=x='${carX}':y=${car.y}[busy]`,
    `[busy]${strip(width)},` +
      `drawtext=text='${scene.title}':font='DejaVu Sans':fontsize=20:fontcolor=white:borderw=2:bordercolor=black@0.6:x=16:y=${height - 32},` +
      `drawtext=text='${clockText}':font='DejaVu Sans Mono':fontsize=36:fontcolor=white:borderw=3:bordercolor=black@0.6:x=w-tw-16:y=${height - 48},` +
      `setpts=PTS-STARTPTS${pace}[v]`,
  ].join(';')
}

/** Start-up of ffmpeg until its first frame: what is drawn shall be the time at which it is seen. */
const startUpMs = 120

/** A scene live, from now on: the arguments for ffmpeg and the moment of the first picture, exactly. */
export const liveScene = (scene: Scene, now: number): { args: string[]; firstPictureAt: number } => {
  const firstTick = Math.ceil((now + startUpMs) / tickMs)
  const tone = ['-re', '-f', 'lavfi', '-i', 'sine=frequency=220:beep_factor=4:sample_rate=48000']
  return {
    firstPictureAt: firstTick * tickMs,
    args: [
      '-nostdin', '-v', 'error', ...(scene.hasTone ? tone : []),
      '-filter_complex', graph(scene, firstTick, ',realtime=limit=5'),
      '-map', '[v]', ...(scene.hasTone ? ['-map', '0:a', '-c:a', 'aac', '-b:a', '48k'] : []),
      ...h264Arguments, '-crf', '26', '-g', String(frameRate), '-keyint_min', String(frameRate), '-sc_threshold', '0', '-threads', '1',
      ...fragmentArguments,
    ],
  }
}
