import { fromCallback, fromPromise } from 'xstate'
import { notProvided } from '../not-provided.ts'
import { bookmarkDraftMachine } from '../bookmarks/bookmark-draft.machine.ts'
import { timelineMachine } from '../timeline/timeline.machine.ts'
import { clipMachine } from './clip.machine.ts'
import { mediaMachine } from './media.machine.ts'
import type { PlayerEvent } from './player.events.ts'
import { selectionMachine } from './selection.machine.ts'
import { waitingPictureMachine } from './waiting-picture.machine.ts'

export type ScreenCommand = { readonly type: 'screen.fill' } | { readonly type: 'screen.leave' }

/** The actors of a player; src/wiring/player/player.ts provides the real ones. */
export const playerActors = {
  media: mediaMachine,
  timeline: timelineMachine,
  selection: selectionMachine,
  clip: clipMachine,
  bookmark: bookmarkDraftMachine,
  waitingPicture: waitingPictureMachine,
  clock: fromCallback<PlayerEvent>(() => undefined),
  screen: fromCallback<ScreenCommand>(() => undefined),
  /** Saves the frame on the screen, named by the stream and the frame's time in a zone. */
  takeSnapshot: fromPromise<undefined, { name: string; zone: string }>(notProvided),
}
