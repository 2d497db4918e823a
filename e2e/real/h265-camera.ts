import { type HttpCamera, startHttpCamera } from './http-camera.ts'

/** Each frame is filled with the strip of its moment (frame-strip.ts). */
const argumentsFrom = (tick: number): readonly string[] => [
  '-f',
  'lavfi',
  '-i',
  `color=s=32x2:r=25,geq=lum='255*mod(floor((N+${tick})/pow(2,31-X)),2)':cb=128:cr=128,scale=640:360:flags=neighbor`,
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
  '-x265-params',
  'log-level=error:keyint=25:min-keyint=25:scenecut=0:bframes=0:rc-lookahead=0',
]

/** A camera that sends H.265, the same to every client. */
export const startH265Camera = (): Promise<HttpCamera> =>
  startHttpCamera(() => argumentsFrom(Math.floor(Date.now() / 40) % 2 ** 32))
