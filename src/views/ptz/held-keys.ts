import type { Velocity } from '../../api/contract/ptz.ts'
import type { ptzKeys } from '../../machines/keyboard/bindings.ts'

export type PtzKey = Exclude<keyof typeof ptzKeys, 'close'>

const directions: Readonly<Record<PtzKey, Velocity>> = {
  left: { pan: -1, tilt: 0, zoom: 0 },
  right: { pan: 1, tilt: 0, zoom: 0 },
  up: { pan: 0, tilt: 1, zoom: 0 },
  down: { pan: 0, tilt: -1, zoom: 0 },
  zoomIn: { pan: 0, tilt: 0, zoom: 1 },
  zoomOut: { pan: 0, tilt: 0, zoom: -1 },
}

/** The velocity for the keys that are held together, at a speed from 0 to 1. */
export function velocityOf(held: Iterable<PtzKey>, speed: number): Velocity {
  const velocity = { pan: 0, tilt: 0, zoom: 0 }
  for (const key of held) {
    velocity.pan += directions[key].pan * speed
    velocity.tilt += directions[key].tilt * speed
    velocity.zoom += directions[key].zoom * speed
  }
  return velocity
}
