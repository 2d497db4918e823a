import type { ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import { builtInValues } from '../../../server/configuration/values.ts'
import type { Store } from '../../../server/store/store.ts'
import { password, startServer } from '../fixtures/harness.ts'
import { mailServer } from '../fixtures/mail.ts'

/** Each statement that a call runs, before its answer or after it, with the rows it changes. */
const watchWork = (store: Store) => {
  const work: string[] = []
  let answer: ServerResponse | undefined
  const note = (sql: string, rows: unknown) => {
    const when = answer?.writableEnded === true ? 'after' : 'before'
    work.push(`${when}: ${sql} (${String(rows)})`)
  }
  const { run, get, all } = store
  store.run = async (sql, ...values) => {
    const result = await run(sql, ...values)
    note(sql, result.changes)
    return result
  }
  store.get = (row, sql, ...values) => {
    note(sql, '')
    return get(row, sql, ...values)
  }
  store.all = (row, sql, ...values) => {
    note(sql, '')
    return all(row, sql, ...values)
  }
  return {
    of: (reply: ServerResponse) => {
      answer = reply
    },
    take: () => {
      answer = undefined
      return work.splice(0)
    },
  }
}

const server = async () => {
  const mail = await mailServer()
  let asked: (reply: ServerResponse) => void = () => undefined
  const harness = await startServer({
    defaults: { ...builtInValues, mail: { ...builtInValues.mail, host: '127.0.0.1', port: mail.port } },
    beforeRoutes: (app) => {
      app.addHook('onRequest', async (_request, reply) => asked(reply.raw))
    },
  })
  await harness.addUser('ann', true)
  await harness.context.accounts.change('ann', { email: 'ann@example.org' })
  // Asked once, and known from then on.
  await harness.context.accounts.hasAdministrator()
  const work = watchWork(harness.context.store)
  asked = work.of
  const send = vi.spyOn(harness.context.mailer, 'sendLater')
  /** Whether there is a letter, too. */
  const workOf = async (url: string, body: object) => {
    work.take()
    const before = send.mock.calls.length
    const { status } = await harness.ask('POST', url, { body })
    const made = await Promise.all(send.mock.calls.slice(before).map(([make]) => make))
    return { answer: { status, work: work.take() }, letters: made.map((make) => make !== undefined) }
  }
  return { ...harness, mail, workOf }
}

test('asking for a code does the same for known and unknown addresses, and looks up none at first', async () => {
  const { workOf, mail } = await server()
  const known = await workOf('/v1/password/send-reset', { email: 'ann@example.org' })
  const unknown = await workOf('/v1/password/send-reset', { email: 'bob@example.org' })
  expect([known.letters, unknown.letters]).toEqual([[true], [false]])
  expect(known.answer).toEqual(unknown.answer)
  const { work } = known.answer
  expect(work.filter((line) => line.startsWith('before') && /reset_codes|email = /.test(line))).toEqual([])
  expect(work.filter((line) => line.startsWith('after') && /reset_codes|email = /.test(line))).toHaveLength(3)
  expect((await mail.next()).to).toEqual(['ann@example.org'])
})

test('a wrong code costs the same work for known and unknown addresses, asked for or not', async () => {
  const { workOf, wait } = await server()
  const guess = (email: string) => workOf('/v1/password/reset', { code: '12345678', password, email })
  expect(await guess('ann@example.org')).toEqual(await guess('bob@example.org'))
  await workOf('/v1/password/send-reset', { email: 'ann@example.org' })
  await workOf('/v1/password/send-reset', { email: 'bob@example.org' })
  for (let count = 0; count < 6; count += 1) {
    const [known, unknown] = [await guess('ann@example.org'), await guess('bob@example.org')]
    expect(known).toEqual(unknown)
    expect(known.answer.status).toBe(400)
    wait(60_000)
  }
})
