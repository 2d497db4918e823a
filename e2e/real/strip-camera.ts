import { type HttpCamera, startHttpCamera } from './http-camera.ts'

export const h265: readonly string[] = [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
  '-x265-params',
  'log-level=error:keyint=25:min-keyint=25:scenecut=0:bframes=0:rc-lookahead=0',
]

/** `frames`: from one keyframe to the next. */
export const h264 = (frames: number): readonly string[] => [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-tune',
  'zerolatency',
  '-pix_fmt',
  'yuv420p',
  '-g',
  String(frames),
  '-sc_threshold',
  '0',
]

/** A camera of 25 frames a second that are filled with the strip of their moment (frame-strip.ts), for every client. */
export const startStripCamera = (encoder: readonly string[]): Promise<HttpCamera> =>
  startHttpCamera(() => {
    const tick = Math.floor(Date.now() / 40) % 2 ** 32
    const strip = `geq=lum='255*mod(floor((N+${tick})/pow(2,31-X)),2)':cb=128:cr=128`
    return ['-f', 'lavfi', '-i', `color=s=32x2:r=25,${strip},scale=640:360:flags=neighbor`, ...encoder]
  })
