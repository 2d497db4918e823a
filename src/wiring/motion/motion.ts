import { fromPromise } from 'xstate'
import { searchMotion } from '../../api/resources/motion.ts'
import { motionMachine } from '../../machines/motion/motion.machine.ts'
import { createMomentPreviews } from '../bookmarks/bookmark-draft.ts'

export const motion = motionMachine.provide({
  actors: {
    previews: createMomentPreviews(),
    search: fromPromise(({ input, signal }) => searchMotion(input, signal)),
  },
})
