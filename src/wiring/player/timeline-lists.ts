import { readStored, writeStored } from '../../api/browser/storage.ts'
import {
  type TimelineListsInput,
  timelineListsMachine,
  type ShownList,
} from '../../machines/timeline/timeline-lists.machine.ts'
import { type ConsoleSystem, ownerIn } from '../shared/owner.ts'

const typesKey = 'player-moment-types'

const noList: ShownList = { isOpen: false, list: 'annotations' }

/** Keeps the lists for the next player: the types of annotations in this browser, the open list for the same user. */
export function createTimelineLists() {
  let last = { owner: '', shown: noList }
  return {
    read(system: Pick<ConsoleSystem, 'get'>): TimelineListsInput {
      const stored = readStored('local', typesKey)
      return {
        ...(last.owner === ownerIn(system) ? last.shown : noList),
        types: Array.isArray(stored) ? stored.filter((type) => typeof type === 'string') : [],
      }
    },
    machine: timelineListsMachine.provide({
      actions: {
        storeShown: ({ system }, { isOpen, list }) => {
          last = { owner: ownerIn(system), shown: { isOpen, list } }
        },
        storeTypes: (_, { types }) => void writeStored('local', typesKey, types.length === 0 ? null : types),
      },
    }),
  }
}
