import { describe, expect, test } from 'vitest'
import { hasPostgres } from '../../../scripts/postgres.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { endPostgres, openNodes, type Node } from '../fixtures/nodes.ts'

endPostgres()

const url = 'https://cams.example.org'
const stopped = { status: 'stopped', url: '', location: '', failureReason: '' }

describe.skipIf(!hasPostgres())('the tunnel of a node', () => {
  test('is shown by the other nodes, which neither stop it nor start another', async () => {
    const { start, beat } = await openNodes()
    const options = {
      tunnelCommand: ['sh', '-c', `echo ${url}/; sleep 300`],
      defaults: { ...builtInValues, tunnel: { ...builtInValues.tunnel, locations: ['eu'] } },
    }
    const a = await start('a', options)
    const b = await start('b', options)
    const call = async ({ ask }: Node, method: 'GET' | 'POST', path: string, body?: object) => {
      const answer = await ask(method, `/v1/tunnel/${path}`, {
        cookie: a.admin,
        ...(body === undefined ? {} : { body }),
      })
      return { status: answer.status, body: answer.body }
    }
    const begin = (node: Node) => call(node, 'POST', 'start', { location: 'eu' })
    await beat()
    expect((await begin(a)).status).toBe(200)
    await expect.poll(() => call(a, 'GET', 'status')).toMatchObject({ body: { status: 'running' } })
    const running = (await call(a, 'GET', 'status')).body
    await beat()
    expect(await call(b, 'GET', 'status')).toEqual({ status: 200, body: { ...Object(running), node: 'a' } })
    const message = 'Node a has the tunnel, and only it can stop it'
    const refused = { status: 409, body: { code: 'ActionNotAcceptable', message } }
    expect(await begin(b)).toEqual(refused)
    expect(await call(b, 'POST', 'stop')).toEqual(refused)
    expect((await call(a, 'GET', 'status')).body).toEqual(running)

    expect(await call(a, 'POST', 'stop')).toEqual({ status: 200, body: stopped })
    await beat()
    expect(await call(b, 'GET', 'status')).toEqual({ status: 200, body: stopped })
  })
})
