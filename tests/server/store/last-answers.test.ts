import { describe, expect, onTestFinished, test } from 'vitest'
import { hasPostgres, startPostgres } from '../../../scripts/postgres.ts'
import type { ServerPlugin } from '../../../server/context.ts'
import { lastAnswerMs } from '../../../server/store/last-answers.ts'
import { startServer } from '../fixtures/harness.ts'
import { endPostgres, openNodes, postgresOf, type Node } from '../fixtures/nodes.ts'
import { create } from '../fixtures/recordings.ts'
import { segments } from '../fixtures/video.ts'

endPostgres()

const routes: ServerPlugin = (app) => {
  const config = { access: { to: 'view', from: 'params.uid' } } as const
  app.get('/v1/test/:uid', { config }, async () => ({}))
  app.post('/v1/test/:uid', { config }, async () => ({}))
}

/** bob may view s1, and ann administers. */
const started = async () => {
  const postgres = await startPostgres()
  onTestFinished(postgres.remove)
  const server = await startServer({ databaseUrl: postgres.url, plugins: [routes] })
  await server.addUser('ann', true)
  await server.addUser('bob')
  await server.addStream('s1')
  const [ann, bob] = [await server.signIn('ann'), await server.signIn('bob')]
  const permit = (permissions: object[]) =>
    server.ask('POST', '/v1/user/bob/permissions', { cookie: ann, body: { permissions } })
  await permit([{ uid: 's1', canView: true }])
  const view = async (cookie: string) => (await server.ask('GET', '/v1/test/s1', { cookie })).status
  return { ...server, postgres, permit, view, ann, bob }
}

/** Two nodes, a stream that `a` records, and bob, who may view it. */
const two = async () => {
  const { start, startListening, beat } = await openNodes()
  const [a, b] = [await startListening('a'), await start('b')]
  await beat()
  const uid = await create(a, 'demo:gate', { node: { id: 'a' } })
  await beat(2)
  await segments(a.site, uid, 1)
  await beat()
  await b.site.reload()
  await a.addUser('bob')
  /** Writes to a table, and resolves once both nodes know of it. */
  const change = async (table: string, write: () => Promise<unknown>) => {
    const known = ({ context: { changes } }: Node) =>
      new Promise<void>((resolve) => changes.follow([table], async () => resolve()))
    const [byA, byB] = [known(a), known(b)]
    await write()
    await Promise.all([byA, byB])
  }
  const permit = (permissions: object[]) =>
    change('stream_permissions', () =>
      a.ask('POST', '/v1/user/bob/permissions', { cookie: a.admin, body: { permissions } }),
    )
  await permit([{ uid, canView: true }])
  return { a, b, uid, change, permit, bob: await a.signIn('bob'), postgres: await postgresOf() }
}

describe.runIf(hasPostgres())('while PostgreSQL is away', () => {
  test('who was seen before may view for a quarter of an hour, and change nothing', async () => {
    const { postgres, context, ask, view, wait, bob } = await started()
    const { token } = await context.tokens.create('bob', 'script', null)
    const callers = [
      { cookie: bob },
      { headers: { authorization: `Bearer ${token}` } },
      { headers: { 'share-token': await context.shares.open('s1') } },
    ]
    const statuses = async (method: 'GET' | 'POST') => {
      const answers = []
      for (const caller of callers) answers.push((await ask(method, '/v1/test/s1', caller)).status)
      return answers
    }
    expect([await statuses('GET'), await statuses('POST')]).toEqual([
      [200, 200, 200],
      [200, 200, 200],
    ])
    await postgres.cut()
    expect([await statuses('GET'), await statuses('POST')]).toEqual([
      [200, 200, 200],
      [503, 503, 503],
    ])
    expect(await view('session=unknown')).toBe(503)
    wait(lastAnswerMs)
    expect(await statuses('GET')).toEqual([503, 503, 503])
    await postgres.start()
    expect(await statuses('GET')).toEqual([200, 200, 200])
  })

  test('what was ended or withdrawn before stays so', async () => {
    const { postgres, ask, permit, view, signIn, ann, bob } = await started()
    const ended = await signIn('ann')
    expect([await view(ann), await view(bob), await view(ended)]).toEqual([200, 200, 200])
    await permit([])
    await ask('POST', '/v1/sign-out', { cookie: ended })
    await signIn('bob')
    // By now ann is known again, but neither the other session nor what bob may view.
    expect(await view(ann)).toBe(200)
    await postgres.cut()
    expect([await view(ann), await view(bob), await view(ended)]).toEqual([200, 503, 503])
    await postgres.start()
    expect([await view(ann), await view(bob), await view(ended)]).toEqual([200, 404, 401])
  })

  test('a sign-in leaves who was seen before known', async () => {
    const { postgres, view, signIn, bob } = await started()
    expect(await view(bob)).toBe(200)
    await signIn('ann')
    await postgres.cut()
    expect(await view(bob)).toBe(200)
    await postgres.start()
  })

  test('a group that was deleted before gives no rights', async () => {
    const { postgres, ask, permit, view, ann, bob } = await started()
    await permit([])
    const body = { kind: 'users', name: 'Guards', members: ['bob'] }
    const { body: group } = await ask('POST', '/v1/groups', { cookie: ann, body })
    const address = `/v1/group/${String(Reflect.get(Object(group), 'id'))}`
    const permissions = [{ streamId: 's1', canView: true }]
    await ask('PUT', `${address}/permissions`, { cookie: ann, body: { permissions } })
    expect(await view(bob)).toBe(200)
    expect((await ask('DELETE', address, { cookie: ann })).status).toBe(200)
    await postgres.cut()
    expect(await view(bob)).toBe(503)
    await postgres.start()
  })

  test('live video and mosaics go on, also by another node than the one that records', async () => {
    const { a, b, uid, bob, postgres } = await two()
    const cells = [{ streamUid: uid, x: 0, y: 0, w: 1, h: 1 }]
    const mosaicBody = { name: 'Doors', columns: 1, rows: 1, cells }
    const made = await a.ask('POST', '/v1/mosaic', { cookie: bob, body: mosaicBody })
    const mosaic = `/v1/mosaic/${String(Reflect.get(Object(made.body), 'id'))}?extend_lease=true`
    const archive = `/v1/stream/${uid}/archive`
    const watch = async ({ ask }: Node) => {
      const answer = (url: string) => ask('GET', url, { cookie: bob })
      const playlist = await answer(`${archive}/live.m3u8`)
      const newest = String(playlist.body)
        .match(/live\/\d+\.m4s/g)
        ?.at(-1)
      const others = [`${archive}/index.m3u8`, `${archive}/${newest}`, `/v1/stream/${uid}`, mosaic]
      const answers = await Promise.all(others.map(answer))
      return { newest, statuses: [playlist, ...answers].map(({ status }) => status) }
    }
    const statuses = [200, 200, 200, 200, 200]
    const before = await watch(b)
    expect([before, await watch(a)]).toMatchObject([{ statuses }, { statuses }])
    await postgres.cut()
    await segments(a.site, uid, 2)
    const after = await watch(b)
    expect([after, await watch(a)]).toMatchObject([{ statuses }, { statuses }])
    expect(after.newest).not.toBe(before.newest)
    await postgres.start()
  })

  test('a viewing that begins meanwhile is refused, as the audit log could not have it', async () => {
    const { a, uid, bob, postgres } = await two()
    const watch = async (cookie: string) =>
      (await a.ask('GET', `/v1/stream/${uid}/archive/live.m3u8`, { cookie })).status
    const know = async (cookie: string) => (await a.ask('GET', `/v1/stream/${uid}`, { cookie })).status
    expect([await watch(bob), await know(a.admin)]).toEqual([200, 200])
    await postgres.cut()
    expect([await watch(bob), await watch(a.admin)]).toEqual([200, 503])
    await postgres.start()
    expect(await watch(a.admin)).toBe(200)
  })

  test('what administrators read is refused, also where it needs no database', async () => {
    const { postgres, ask, ann } = await started()
    const read = async () => (await ask('GET', '/v1/admin/configuration', { cookie: ann })).status
    expect(await read()).toBe(200)
    await postgres.cut()
    expect(await read()).toBe(503)
    await postgres.start()
  })

  test('what another node has withdrawn before stays so', async () => {
    const { a, b, uid, permit, bob, postgres } = await two()
    const view = async ({ ask }: Node) => (await ask('GET', `/v1/stream/${uid}`, { cookie: bob })).status
    expect([await view(a), await view(b)]).toEqual([200, 200])
    await permit([])
    await postgres.cut()
    expect([await view(a), await view(b)]).toEqual([503, 503])
    await postgres.start()
    expect([await view(a), await view(b)]).toEqual([404, 404])
  })

  test('a mosaic that another node has changed or deleted before is refused, and nothing else', async () => {
    const { a, b, uid, change, bob, postgres } = await two()
    const body = { name: 'Doors', columns: 1, rows: 1, cells: [{ streamUid: uid, x: 0, y: 0, w: 1, h: 1 }] }
    const add = async () => {
      const made = await a.ask('POST', '/v1/mosaic', { cookie: bob, body })
      return `/v1/mosaic/${String(Reflect.get(Object(made.body), 'id'))}`
    }
    const addresses = [await add(), await add(), `/v1/stream/${uid}`]
    const [changed = '', deleted = ''] = addresses
    const statuses = async () => {
      const answers = []
      for (const address of addresses) answers.push((await b.ask('GET', address, { cookie: bob })).status)
      return answers
    }
    expect(await statuses()).toEqual([200, 200, 200])
    await change('mosaics', async () => {
      await a.ask('POST', changed, { cookie: bob, body: { ...body, name: 'Gates' } })
      await a.ask('DELETE', deleted, { cookie: bob })
    })
    await postgres.cut()
    expect(await statuses()).toEqual([503, 503, 200])
    await postgres.start()
    expect(await statuses()).toEqual([200, 404, 200])
  })
})
