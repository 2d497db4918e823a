import { type ActorRefFrom, type ActorSystem, fromCallback } from 'xstate'
import * as z from 'zod/mini'
import { readStored, writeStored } from '../../api/browser/storage.ts'
import type { appMachine } from '../../machines/app/app.machine.ts'
import type { DraftCommand } from '../../machines/form/draft.ts'

type AppSystem = ActorSystem<{ actors: { app: ActorRefFrom<typeof appMachine> } }>

const key = 'unsaved'
const Draft = z.object({ owner: z.string(), path: z.string(), values: z.record(z.string(), z.unknown()) })

/** What was typed last and isn't saved, kept in this tab for whoever is signed in on this page. */
export const keepDraft = fromCallback<DraftCommand>(({ system, sendBack, receive }) => {
  const owner = ownerIn(system)
  const path = globalThis.location.pathname
  const kept = z.safeParse(Draft, readStored('session', key))
  if (kept.success && kept.data.owner !== owner) writeStored('session', key, null)
  if (kept.success && kept.data.owner === owner && kept.data.path === path)
    sendBack({ type: 'draft.found', values: kept.data.values })
  receive(({ values }) =>
    writeStored('session', key, Object.keys(values).length === 0 ? null : { owner, path, values }),
  )
})

const ownerIn = (system: Pick<AppSystem, 'get'>): string => system.get('app')?.getSnapshot().context.user?.name ?? ''
