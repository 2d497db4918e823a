import { setTimeout as pause } from 'node:timers/promises'
import { Ready } from '../../src/api/contract/health.ts'
import type { ReadyCheck, ServerPlugin } from '../context.ts'

/** Results are cached, because a check may take a database lock and write a file. */
const keptMs = 2000
/** A disk or database that takes longer isn't ready. */
const maxMs = 5000

const outcomeOf = async ({ name, isOk }: ReadyCheck): Promise<Ready['checks'][number]> => {
  const asked = (async () => isOk())().catch(() => false)
  return { name, ok: await Promise.race([asked, pause(maxMs, false, { ref: false })]) }
}

/** Runs the checks at most once every two seconds, however many ask. */
export const createReadiness = (checks: readonly ReadyCheck[], now: () => number): (() => Promise<Ready>) => {
  let asked: Promise<Ready> | undefined
  let askedAt = 0
  return () => {
    if (asked === undefined || Math.abs(now() - askedAt) >= keptMs) {
      askedAt = now()
      asked = Promise.all(checks.map(outcomeOf)).then((outcomes) => ({ checks: outcomes }))
    }
    return asked
  }
}

/** For load balancers, which have no session; also answers before the first administrator exists. */
export const readinessRoutes: ServerPlugin = (app, { store, readyChecks, now }) => {
  readyChecks.push({ name: 'database', isOk: () => store.transaction(async () => true) })
  const ready = createReadiness(readyChecks, now)

  app.get(
    '/v1/system/ready',
    {
      config: { access: { to: 'anyone' }, beforeUnlock: true },
      schema: { tags: ['system'], response: { 200: Ready, 503: Ready } },
    },
    async (_request, reply) => {
      const outcome = await ready()
      return reply.code(outcome.checks.every(({ ok }) => ok) ? 200 : 503).send(outcome)
    },
  )
}
