import { newId } from '../access/secrets.ts'
import type { ServerContext } from '../context.ts'
import * as z from 'zod/mini'
import { createBackdate, type Backdate, type SecondsRange } from './backdate.ts'
import { scenes } from './scenes.ts'
import type { Site } from '../streams/site.ts'
import type { StreamRow } from '../streams/stream-store.ts'

type Seed = Pick<StreamRow, 'name' | 'source' | 'tags' | 'location' | 'marker' | 'isOnDemand'>

/** Newest first, as in the list of streams. The last one fails on purpose: its scene doesn't exist. */
const seeds: readonly Seed[] = [
  {
    name: 'Gate',
    source: 'demo:gate',
    tags: ['Perimeter', 'Entrances'],
    location: 'North entrance',
    marker: '#3b82f6',
    isOnDemand: false,
  },
  {
    name: 'Yard',
    source: 'demo:yard',
    tags: ['Perimeter'],
    location: 'Inner yard',
    marker: '#22c55e',
    isOnDemand: false,
  },
  {
    name: 'Warehouse',
    source: 'demo:warehouse',
    tags: ['Indoors'],
    location: 'Hall 2',
    marker: '#f59e0b',
    isOnDemand: true,
  },
  {
    name: 'Car park',
    source: 'demo:car-park',
    tags: ['Perimeter'],
    location: 'South side',
    marker: '#ef4444',
    isOnDemand: false,
  },
]

/** In seconds. */
const [hours, minutes] = [3600, 60]

/** Six hours with two gaps; `end` in epoch seconds. */
const rangesUntil = (end: number): SecondsRange[] => [
  { from: end - 6 * hours, to: end - 4 * hours - 10 * minutes },
  { from: end - 3 * hours - 55 * minutes, to: end - 95 * minutes },
  { from: end - 88 * minutes, to: end },
]

const FactRow = z.object({ value: z.string() })
/** What was seeded: the archive up to `end`, epoch seconds, of these streams. */
const Seeded = z.object({ end: z.number(), uids: z.array(z.string()), isComplete: z.boolean() })

const readSeeded = (text: string): z.output<typeof Seeded> => {
  const read = text.startsWith('{') ? z.safeParse(Seeded, JSON.parse(text)) : undefined
  return read?.data ?? { end: 0, uids: [], isComplete: true }
}

/** On the first start, creates four demo streams and six hours of archive. A later start completes what is missing. */
export const seedDemo = async (context: ServerContext, site: Site, signal: AbortSignal): Promise<void> => {
  const { store, now } = context
  const save = async (seeded: z.output<typeof Seeded>) => {
    const sql = `INSERT INTO stream_facts (name, value) VALUES ('demo', ?)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`
    await store.run(sql, JSON.stringify(seeded))
    return seeded
  }
  const known = await store.get(FactRow, "SELECT value FROM stream_facts WHERE name = 'demo'")
  const createdAt = now()
  const rows = seeds.map((seed, index): StreamRow => ({
    ...seed,
    isArchived: true,
    depthHours: 24,
    isPaused: false,
    owner: null,
    uid: newId(),
    createdAt: createdAt - index,
  }))
  if (signal.aborted) return
  if (known === undefined) await Promise.all(rows.map((row) => site.add(row)))
  const seeded =
    known === undefined
      ? await save({ end: Math.floor(createdAt / 1000), uids: rows.map((row) => row.uid), isComplete: false })
      : readSeeded(known.value)
  if (seeded.isComplete) return
  // The repair indexes what an interrupted start has written, so that it isn't composed twice.
  await site.untilRepaired()
  const backdates: { uid: string; backdate: Backdate }[] = []
  // The newest range of every camera first, as it is watched first.
  const [newest, ...older] = rangesUntil(seeded.end).toReversed()
  if (newest === undefined) return
  for (const uid of seeded.uids) {
    const row = site.store.find(uid)
    const scene = scenes.get(row?.source.slice('demo:'.length) ?? '')
    if (scene === undefined) continue
    const backdate = await createBackdate(site, uid, scene, seeded.end, signal)
    backdates.push({ uid, backdate })
    await backdate(newest, undefined)
    if (signal.aborted) return
  }
  for (const [index, range] of older.entries()) {
    for (const { backdate } of backdates) {
      await backdate(range, older[index - 1] ?? newest)
      if (signal.aborted) return
    }
  }
  for (const { uid } of backdates) site.logs.write(uid, 'info', 'Six hours of archive are ready')
  await save({ ...seeded, isComplete: true })
}
