import { readStored, writeStored } from '../../api/browser/storage.ts'
import {
  type MomentListsInput,
  momentListsMachine,
  type ShownList,
} from '../../machines/timeline/moment-lists.machine.ts'
import { type ConsoleSystem, ownerIn } from '../shared/owner.ts'

const typesKey = 'player-moment-types'

const noList: ShownList = { isOpen: false, list: 'annotations' }

/** Keeps the lists for the next player: the types of annotations in this browser, the open list for the same user. */
export function createMomentLists() {
  let last = { owner: '', shown: noList }
  return {
    read(system: Pick<ConsoleSystem, 'get'>): MomentListsInput {
      const stored = readStored('local', typesKey)
      return {
        ...(last.owner === ownerIn(system) ? last.shown : noList),
        types: Array.isArray(stored) ? stored.filter((type) => typeof type === 'string') : [],
      }
    },
    machine: momentListsMachine.provide({
      actions: {
        storeShown: ({ system }, { isOpen, list }) => {
          last = { owner: ownerIn(system), shown: { isOpen, list } }
        },
        storeTypes: (_, { types }) => void writeStored('local', typesKey, types.length === 0 ? null : types),
      },
    }),
  }
}
