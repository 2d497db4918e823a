import { setTimeout as pause } from 'node:timers/promises'
import { Ready } from '../../src/api/contract/health.ts'
import type { ReadyCheck, ServerPlugin } from '../context.ts'
import { monotonicNow } from '../monotonic.ts'

/** Results are cached, because a check may take a database lock and write a file. */
const cacheMs = 2000
/** A check that takes longer has failed. */
const timeoutMs = 5000

const outcomeOf = async ({ name, isOk }: ReadyCheck): Promise<Ready['checks'][number]> => {
  const result = (async () => isOk())().catch(() => false)
  return { name, ok: await Promise.race([result, pause(timeoutMs, false, { ref: false })]) }
}

/** Runs the checks at most once every two seconds, however many ask. */
export const createReadiness = (checks: readonly ReadyCheck[]): (() => Promise<Ready>) => {
  let latest: Promise<Ready> | undefined
  let checkedAt = -Infinity
  return () => {
    if (latest === undefined || monotonicNow() - checkedAt >= cacheMs) {
      checkedAt = monotonicNow()
      latest = Promise.all(checks.map(outcomeOf)).then((outcomes) => ({ checks: outcomes }))
    }
    return latest
  }
}

/** For load balancers, which have no session; also answers before the first administrator exists. */
export const readinessRoutes: ServerPlugin = (app, { store, readyChecks }) => {
  readyChecks.push({ name: 'database', isOk: () => store.transaction(async () => true) })
  const ready = createReadiness(readyChecks)

  app.get(
    '/v1/system/ready',
    {
      config: { access: { to: 'anyone' }, beforeFirstAdministrator: true },
      schema: { tags: ['system'], response: { 200: Ready, 503: Ready } },
    },
    async (_request, reply) => {
      const outcome = await ready()
      return reply.code(outcome.checks.every(({ ok }) => ok) ? 200 : 503).send(outcome)
    },
  )
}
