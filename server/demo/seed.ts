import { newId } from '../access/secrets.ts'
import type { ServerContext } from '../context.ts'
import * as z from 'zod/mini'
import { query } from '../store/database.ts'
import type { Site } from '../streams/site.ts'
import type { StreamRow } from '../streams/stream-store.ts'

type Seed = Pick<StreamRow, 'name' | 'source' | 'tags' | 'location' | 'marker' | 'isOnDemand'>

/** Newest first, as the list shows them. The last fails on purpose: its scene doesn't exist. */
const seeds: readonly Seed[] = [
  { name: 'Gate', source: 'demo:gate', tags: ['Perimeter', 'Entrances'], location: 'North entrance', marker: '#3b82f6', isOnDemand: false },
  { name: 'Yard', source: 'demo:yard', tags: ['Perimeter'], location: 'Inner yard', marker: '#22c55e', isOnDemand: false },
  { name: 'Warehouse', source: 'demo:warehouse', tags: ['Indoors'], location: 'Hall 2', marker: '#f59e0b', isOnDemand: true },
  { name: 'Car park', source: 'demo:car-park', tags: ['Perimeter'], location: 'South side', marker: '#ef4444', isOnDemand: false },
]

const FactRow = z.object({ value: z.string() })

/** On the first start: four demo streams, and six hours of archive behind those that play. */
export const seedDemo = async (context: ServerContext, site: Site, signal: AbortSignal): Promise<void> => {
  const { db, now } = context
  const isSeeded = query(db, FactRow, "SELECT value FROM stream_facts WHERE name = 'demo'").get() !== undefined
  if (isSeeded || signal.aborted) return
  db.prepare("INSERT INTO stream_facts (name, value) VALUES ('demo', ?)").run(new Date(now()).toISOString())
  const createdAt = now()
  const rows = seeds.map((seed, place): StreamRow => {
    const base = { isArchived: true, depthHours: 24, isPaused: false, owner: null }
    return { ...base, ...seed, uid: newId(), createdAt: createdAt - place }
  })
  for (const row of rows) await site.add(row)
}
