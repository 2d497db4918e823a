import * as z from 'zod/mini'
import { atMost, flag, items, key, text } from './wire.ts'

/** What a stream's camera can do by `…/ptz` (docs/wire.md §6.5). */
export const PtzAbilities = z.object({ move: flag, zoom: flag, presets: flag, home: flag })
export type PtzAbilities = z.output<typeof PtzAbilities>

const speed = z._default(z.number().check(z.minimum(-1), z.maximum(1)), 0)

/** Each from -1 to 1: right, up and zooming in are positive. */
const Velocity = z.object({ pan: speed, tilt: speed, zoom: speed })
export type Velocity = z.output<typeof Velocity>

/** One of: start to move, go to a preset, go to the home position, stop. */
export const PtzBody = z.union([
  z.object({ move: Velocity }),
  z.object({ preset: key.check(z.minLength(1)) }),
  z.object({ home: z.literal(true) }),
  z.object({ stop: z.literal(true) }),
])
export type PtzBody = z.input<typeof PtzBody>

export const Preset = z.object({ token: z.string(), name: text })
export type Preset = z.output<typeof Preset>
export const Presets = items(Preset)
export const PresetBody = z.object({ name: atMost(64).check(z.trim(), z.minLength(1)) })
export type PresetBody = z.input<typeof PresetBody>
