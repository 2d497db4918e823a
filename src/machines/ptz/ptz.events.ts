import type { Preset, PtzAbilities, Velocity } from '../../api/contract/ptz.ts'

/** A position to which a camera turns by itself. */
export type Goal = { readonly preset: string } | { readonly home: true }

export type PtzEvent =
  /** What the stream's camera can do; null: it has no PTZ that the user may use. */
  | { readonly type: 'abilities.changed'; readonly abilities: PtzAbilities | null }
  | { readonly type: 'pad.toggled' }
  /** The user holds a direction, or changes it. */
  | { readonly type: 'move.begun'; readonly velocity: Velocity }
  | { readonly type: 'move.ended' }
  | { readonly type: 'goal.chosen'; readonly goal: Goal }
  /** The name for a new preset, and saving it. */
  | { readonly type: 'name.edited'; readonly name: string }
  | { readonly type: 'preset.saved' }
  | { readonly type: 'removal.requested'; readonly preset: Preset }
  | { readonly type: 'removal.confirmed' }
  | { readonly type: 'removal.cancelled' }
