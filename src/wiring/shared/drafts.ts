import { fromCallback } from 'xstate'
import * as z from 'zod/mini'
import { readStored, writeStored } from '../../api/browser/storage.ts'
import type { DraftCommand } from '../../machines/form/draft.ts'
import { ownerIn } from './owner.ts'

const key = 'unsaved'
const Draft = z.object({ owner: z.string(), path: z.string(), values: z.record(z.string(), z.unknown()) })

/** Stores the draft of a form in this tab, for the signed-in user and this page, and restores it from there. */
export const storeDraft = fromCallback<DraftCommand>(({ system, sendBack, receive }) => {
  const owner = ownerIn(system)
  const path = globalThis.location.pathname
  const stored = z.safeParse(Draft, readStored('session', key))
  if (stored.success && stored.data.owner !== owner) writeStored('session', key, null)
  if (stored.success && stored.data.owner === owner && stored.data.path === path)
    sendBack({ type: 'draft.found', values: stored.data.values })
  receive(({ values }) =>
    writeStored('session', key, Object.keys(values).length === 0 ? null : { owner, path, values }),
  )
})
