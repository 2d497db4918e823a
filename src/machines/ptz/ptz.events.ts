import type { Preset, PtzAbilities, Velocity } from '../../api/contract/ptz.ts'

/** Where a camera goes by itself. */
export type Goal = { readonly preset: string } | { readonly home: true }

export type PtzEvent =
  /** What the stream's camera can do; null: nothing. */
  | { readonly type: 'abilities.changed'; readonly abilities: PtzAbilities | null }
  | { readonly type: 'pad.toggled' }
  /** A direction is held, or another one. */
  | { readonly type: 'move.begun'; readonly velocity: Velocity }
  | { readonly type: 'move.ended' }
  | { readonly type: 'goal.chosen'; readonly goal: Goal }
  | { readonly type: 'name.edited'; readonly name: string }
  | { readonly type: 'preset.saved' }
  | { readonly type: 'removal.requested'; readonly preset: Preset }
  | { readonly type: 'removal.confirmed' }
  | { readonly type: 'removal.cancelled' }
