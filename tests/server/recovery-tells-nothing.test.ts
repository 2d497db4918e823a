import type { ServerResponse } from 'node:http'
import { StatementSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { builtInValues } from '../../server/configuration/values.ts'
import { password, startServer } from './harness.ts'
import { mailServer } from './mail.ts'

/** Each statement that a call runs, before its answer or after it, with the rows it changes. */
const watchWork = () => {
  const work: string[] = []
  let answer: ServerResponse | undefined
  const note = (sql: string, rows: unknown) => {
    const when = answer?.writableEnded === true ? 'after' : 'before'
    work.push(`${when}: ${sql} (${String(rows)})`)
  }
  const { run, get, all } = StatementSync.prototype
  vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
    const result = Reflect.apply(run, this, values)
    note(this.sourceSQL, result.changes)
    return result
  })
  vi.spyOn(StatementSync.prototype, 'get').mockImplementation(function (this: StatementSync, ...values) {
    note(this.sourceSQL, '')
    return Reflect.apply(get, this, values)
  })
  vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (this: StatementSync, ...values) {
    note(this.sourceSQL, '')
    return Reflect.apply(all, this, values)
  })
  onTestFinished(() => void vi.restoreAllMocks())
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
  const work = watchWork()
  const harness = await startServer({
    defaults: { ...builtInValues, mail: { ...builtInValues.mail, host: '127.0.0.1', port: mail.port } },
    beforeRoutes: (app) => {
      app.addHook('onRequest', async (_request, reply) => work.of(reply.raw))
    },
  })
  await harness.addUser('ann', true)
  harness.context.people.change('ann', { email: 'ann@example.org' })
  const workOf = async (url: string, body: object) => {
    work.take()
    const { status } = await harness.ask('POST', url, { body })
    return { status, work: work.take() }
  }
  return { ...harness, mail, workOf }
}

test('asking for a code does the same for known and unknown addresses, and looks up none at first', async () => {
  const { workOf, context, mail } = await server()
  const send = vi.spyOn(context.post, 'write')
  const known = await workOf('/v1/password/send-reset', { email: 'ann@example.org' })
  expect(send).toHaveBeenCalledTimes(1)
  const unknown = await workOf('/v1/password/send-reset', { email: 'bob@example.org' })
  expect(send).toHaveBeenCalledTimes(1)
  expect(known).toEqual(unknown)
  expect(known.work.filter((line) => line.startsWith('before') && /reset_codes|email = /.test(line))).toEqual([])
  expect(known.work.filter((line) => line.startsWith('after') && /reset_codes|email = /.test(line))).toHaveLength(3)
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
    expect(known.status).toBe(400)
    wait(60_000)
  }
})
