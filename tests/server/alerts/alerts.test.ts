import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { minuteMs } from '../../../server/durations.ts'
import { StoreAway } from '../../../server/store/connection.ts'
import { alertServer, receiver, webhookSecret } from './alert-server.ts'
import { at, start } from '../fixtures/harness.ts'
import { mailServer } from '../fixtures/mail.ts'

const forty = Array.from({ length: 40 }, (_each, index) => `c${index}`)
const mailTo = (address: string) => ({ kind: 'mail', address })
const soon = 14_000

describe('a switch that dies with forty cameras', () => {
  test('is one letter, and one when they are back', async () => {
    const mail = await mailServer()
    const { add, fail, pass, deliveries } = await alertServer({ mail, uids: forty })
    await add({ name: 'Night', on: ['stream.failed', 'stream.recovered'], to: [mailTo('ann@example.org')] })
    fail(...forty)
    await pass(minuteMs)
    const failed = await mail.next()
    expect(failed.to).toEqual(['ann@example.org'])
    expect(failed.headers).toContain('Subject: Sightline: 40 cameras failed')
    const lines = failed.body.split('\n').filter((line) => line.includes('failed'))
    expect(lines).toHaveLength(40)
    expect(lines[0]?.trim()).toMatch(/ Camera c0 failed \(the camera does not answer\)$/)
    expect(failed.body).toContain('Alert: Night')
    fail()
    await pass(minuteMs)
    expect((await mail.next()).headers).toContain('Subject: Sightline: 40 cameras recovered')
    expect(mail.count()).toBe(2)
    expect(await deliveries()).toMatchObject([
      { status: 'sent', attempts: 1, on: ['stream.recovered'], total: 40, streamName: '', kind: 'mail' },
      {
        status: 'sent',
        attempts: 1,
        on: ['stream.failed'],
        items: Array.from({ length: 5 }, () => ({
          on: 'stream.failed',
          streamName: expect.stringMatching(/^Camera /),
        })),
        total: 40,
        alertName: 'Night',
      },
    ])
  })

  test('is in Russian where that is the language', async () => {
    const mail = await mailServer()
    const { add, fail, pass, context } = await alertServer({ mail, uids: ['c1'] })
    const application = { defaultLanguage: 'ru', title: 'Склад' }
    await context.configuration.save({ application, mail: { consoleUrl: 'https://cams.example.org/ui/' } }, 'root')
    await add({ name: 'Ночь', on: ['stream.failed'], to: [mailTo('ann@example.org')] })
    fail('c1')
    await pass(soon)
    const { body } = await mail.next()
    expect(body).toContain('Camera c1: камера недоступна (камера не отвечает)')
    expect(body).toContain('Оповещение: Ночь')
    expect(body).toContain('https://cams.example.org/ui/stream/c1/view')
  })
})

describe('a webhook', () => {
  test('gets what happened, signed with its secret and the time', async () => {
    const { address, calls } = await receiver()
    const { add, fail, pass } = await alertServer({ uids: ['c1'] })
    const id = await add({
      name: 'Hook',
      on: ['stream.failed'],
      to: [{ kind: 'webhook', address, secret: webhookSecret }],
    })
    fail('c1')
    await pass(soon)
    const item = { on: 'stream.failed', streamId: 'c1', streamName: 'Camera c1', reason: 'EHOSTUNREACH' }
    expect(calls).toEqual([
      {
        isSigned: true,
        id: expect.any(String),
        body: {
          id: calls[0]?.id,
          time: at(10_000),
          alert: { id, name: 'Hook' },
          total: 1,
          items: [{ ...item, time: at(2000) }],
        },
      },
    ])
  })

  test('is tried again after pauses that grow, under one id, and given up after ten tries', async () => {
    const { address, calls } = await receiver(...Array.from({ length: 20 }, () => 503))
    const { add, fail, pass, deliveries, wait } = await alertServer({ uids: ['c1'] })
    await add({ name: 'Hook', on: ['stream.failed'], to: [{ kind: 'webhook', address }] })
    fail('c1')
    await pass(10_000)
    expect([calls.length, await deliveries()]).toMatchObject([
      1,
      [{ status: 'waiting', attempts: 1, failureReason: 'HTTP 503', nextTime: at(15_000) }],
    ])
    await pass(6000)
    expect(calls.length).toBe(2)
    for (let tries = 0; tries < 12; tries += 1) {
      wait(6 * 60 * minuteMs)
      await pass(2000)
    }
    expect([calls.length, new Set(calls.map(({ id }) => id)).size, await deliveries()]).toMatchObject([
      10,
      1,
      [{ status: 'failed', attempts: 10, failureReason: 'HTTP 503', address: expect.stringMatching(/token=\*\*\*$/) }],
    ])
  })

  test('is tried again although the clock was set back', async () => {
    const { address, calls } = await receiver(503)
    const { add, fail, pass, deliveries, wait } = await alertServer({ uids: ['c1'] })
    await add({ name: 'Hook', on: ['stream.failed'], to: [{ kind: 'webhook', address }] })
    fail('c1')
    await pass(10_000)
    wait(-60 * minuteMs)
    await pass(2000)
    expect([calls.length, await deliveries()]).toMatchObject([2, [{ status: 'sent', attempts: 2 }]])
  })

  test('that says it is gone is not tried again', async () => {
    const { address, calls } = await receiver(410)
    const { add, fail, pass, deliveries } = await alertServer({ uids: ['c1'] })
    await add({ name: 'Hook', on: ['stream.failed'], to: [{ kind: 'webhook', address }] })
    fail('c1')
    await pass(minuteMs)
    expect([calls.length, await deliveries()]).toMatchObject([1, [{ status: 'failed', failureReason: 'HTTP 410' }]])
  })
})

test('a restart sends what waits under its id, repeats nothing and forgets nothing that is over', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-alerts-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const { address, calls } = await receiver(503)
  const first = await alertServer({ dataDir, uids: ['c1'] })
  await first.add({ name: 'Hook', on: ['stream.failed', 'stream.recovered'], to: [{ kind: 'webhook', address }] })
  first.fail('c1')
  await first.pass(10_000)
  expect(calls.length).toBe(1)
  await first.app.close()

  const second = await alertServer({ dataDir })
  second.wait(16_000)
  second.fail('c1')
  await second.pass(minuteMs)
  expect(calls.map(({ id, body }) => [id, Object(body['items'])[0].on])).toEqual([
    [calls[0]?.id, 'stream.failed'],
    [calls[0]?.id, 'stream.failed'],
  ])
  second.fail()
  await second.pass(soon)
  expect(Object(calls[2]?.body['items'])[0].on).toBe('stream.recovered')
  expect(calls).toHaveLength(3)
})

test('while the database is away what is known of alerts goes out, and is written once it is back', async () => {
  const { address, calls } = await receiver()
  const { add, pass, deliveries, context } = await alertServer({ uids: ['c1'] })
  await add({ name: 'Hook', on: ['node.lost'], to: [{ kind: 'webhook', address }] })
  await pass(2000)
  const { store } = context
  const there = { ...store }
  const refuse = () => Promise.reject(new StoreAway('gone'))
  Object.assign(store, { isAway: () => true, get: refuse, all: refuse, run: refuse, transaction: refuse })
  await pass(soon)
  expect(calls.map(({ body }) => body['items'])).toEqual([
    [{ on: 'node.lost', reason: 'DATABASE_AWAY', time: expect.any(String) }],
  ])
  Object.assign(store, there)
  await pass(soon)
  expect(calls.map(({ body }) => Object(body['items'])[0].over)).toEqual([undefined, true])
  expect((await deliveries()).map(({ status, on }) => [status, on])).toEqual([
    ['sent', ['node.lost']],
    ['sent', ['node.lost']],
  ])
})

test('events of a detector reach their destinations, by label; what is taken over from earlier does not', async () => {
  const { address, calls } = await receiver()
  const { add, ask, admin, pass } = await alertServer({ uids: ['c1', 'c2'] })
  await add({ name: 'People', on: ['event'], streams: ['c1'], labels: ['person'], to: [{ kind: 'webhook', address }] })
  const event = (streamId: string, label: string, time: number) => ({ streamId, type: 'event', label, time: at(time) })
  const items = [
    event('c1', 'person', 0),
    event('c1', 'car', 0),
    event('c2', 'person', 0),
    event('c1', 'person', 1000),
    event('c1', 'person', -3_600_000),
  ]
  expect((await ask('POST', '/v1/annotations', { cookie: admin, body: { items } })).status).toBe(200)
  await pass(soon)
  expect(calls.map(({ body }) => body['items'])).toEqual([
    [{ on: 'event', streamId: 'c1', streamName: 'Camera c1', label: 'person', time: at(0), count: 2 }],
  ])
})

describe('a test', () => {
  test('is sent to each address at once, and says what came of it', async () => {
    const mail = await mailServer()
    const { address, calls } = await receiver(500)
    const { add, ask, admin, deliveries } = await alertServer({ mail })
    const id = await add({
      name: 'Night',
      on: ['disk.full'],
      to: [mailTo('ann@example.org'), { kind: 'webhook', address, secret: webhookSecret }],
    })
    const { status, body } = await ask('POST', `/v1/alert/${id}/test`, { cookie: admin })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        items: [
          { kind: 'mail', address: 'ann@example.org', sent: true, failureReason: '' },
          { kind: 'webhook', address, sent: false, failureReason: 'HTTP 500' },
        ],
      },
    })
    expect((await mail.next()).body).toContain('This is a test')
    expect(calls).toMatchObject([{ isSigned: true, body: { total: 0, items: [], alert: { id, name: 'Night' } } }])
    expect(await deliveries()).toEqual([])
  })

  test('says that there is no mail server', async () => {
    const { add, ask, admin } = await alertServer()
    const id = await add({ name: 'Night', on: ['disk.full'], to: [mailTo('ann@example.org')] })
    const { body } = await ask('POST', `/v1/alert/${id}/test`, { cookie: admin })
    expect(body).toMatchObject({ items: [{ sent: false, failureReason: 'NO_MAIL_SERVER' }] })
  })
})

describe('an alert', () => {
  const hook = { kind: 'webhook', address: 'https://192.0.2.7/hook', secret: webhookSecret }
  const draft = { name: ' Night ', on: ['stream.failed'], quietMinutes: 10, to: [hook] }
  const kept = {
    name: 'Night',
    on: ['stream.failed'],
    streams: [],
    labels: [],
    quietMinutes: 10,
    to: [{ ...hook, secret: '***' }],
  }

  test('is added, listed, changed and removed; its secret is never shown, and kept for its address alone', async () => {
    const { ask, admin, context } = await alertServer({ uids: ['c1'] })
    const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
      const answer = await ask(method, url, { cookie: admin, ...(body === undefined ? {} : { body }) })
      return { status: answer.status, body: answer.body }
    }
    const added = await call('POST', '/v1/alerts', draft)
    const id = String(Object(added.body).id)
    expect(added).toEqual({ status: 200, body: { id, ...kept } })
    expect(await call('GET', '/v1/alerts')).toEqual({
      status: 200,
      body: { items: [{ id, ...kept }], pushKey: expect.stringMatching(/^B[\w-]{86}$/) },
    })
    const alert = `/v1/alert/${id}`
    expect(await call('PATCH', alert, { streams: ['c1'], to: kept.to })).toEqual({
      status: 200,
      body: { id, ...kept, streams: ['c1'] },
    })
    const [stored] = await context.store.all(z.object({ rule: z.string() }), 'SELECT rule FROM alerts')
    expect(stored?.rule).toContain(webhookSecret)
    const elsewhere = { ...hook, address: 'https://192.0.2.8/hook', secret: '***' }
    expect(await call('PATCH', alert, { to: [elsewhere] })).toEqual({
      status: 400,
      body: { code: 'ValidationError', details: { 'to.0.secret': 'Enter the secret again' } },
    })
    expect(await call('DELETE', alert)).toEqual({ status: 200, body: {} })
    expect([await call('DELETE', alert), await call('PATCH', alert, {})]).toMatchObject([
      { status: 404 },
      { status: 404 },
    ])
    const log = await context.audit.read({ action: 'alert' }, 1)
    expect(log.items.map(({ action, outcome }) => `${action} ${outcome}`).toReversed()).toEqual([
      'alert.create ok',
      'alert.change ok',
      'alert.change ValidationError',
      'alert.delete ok',
      'alert.delete NotFound',
      'alert.change NotFound',
    ])
    expect(JSON.stringify(log)).not.toContain(webhookSecret)
  })

  test.each([
    ['to.0.address', { to: [{ kind: 'mail', address: 'nobody' }] }, 'Must be an e-mail address'],
    ['to.0.address', { to: [{ kind: 'mail', address: 'a@b.c\r\nBcc: d@e.f' }] }, 'Must be an e-mail address'],
    ['to.0.address', { to: [{ kind: 'webhook', address: 'ftp://host/' }] }, 'Must be an address like https://host'],
    [
      'to.0.address',
      { to: [{ kind: 'webhook', address: 'https://ann:pw@host/' }] },
      'Must be without login and password',
    ],
    ['to.0.address', { to: [{ kind: 'webhook', address: 'http://169.254.169.254/' }] }, 'This address is not allowed'],
    ['to.1.secret', { to: [hook, { ...hook, secret: 'short' }] }, 'At least 16 characters'],
    ['to', { to: [] }, 'At least 1 entries'],
    ['on', { on: [] }, 'At least 1 entries'],
    ['streams.0', { streams: ['nothing'] }, 'Unknown stream'],
    ['quietMinutes', { quietMinutes: -1 }, 'At least 0'],
    ['name', { name: ' ' }, 'Required'],
  ])('is refused at %s for %j', async (field, change, words) => {
    const { ask, admin } = await alertServer()
    const { status, body } = await ask('POST', '/v1/alerts', { cookie: admin, body: { ...draft, ...change } })
    expect({ status, body }).toEqual({ status: 400, body: { code: 'ValidationError', details: { [field]: words } } })
  })

  test('stays about its streams when they are removed', async () => {
    const { add, ask, admin, fail, pass, deliveries, site } = await alertServer({ uids: ['c1', 'c2'] })
    const id = await add({ ...draft, streams: ['c1'] })
    await site.remove('c1', true)
    expect((await ask('PATCH', `/v1/alert/${id}`, { cookie: admin, body: { streams: ['c1'] } })).status).toBe(200)
    fail('c2')
    await pass(minuteMs)
    expect(await deliveries()).toEqual([])
  })
})

test('the log of deliveries is bounded, and what waits for an address that was removed is given up', async () => {
  const { context, add, ask, admin, deliveries, pass, fail } = await alertServer({ uids: ['c1'] })
  const { address } = await receiver(503)
  const id = await add({ name: 'Hook', on: ['stream.failed'], to: [{ kind: 'webhook', address }] })
  fail('c1')
  await pass(10_000)
  await context.store.transaction(async () => {
    for (let number = 0; number < 1100; number += 1) {
      await context.store.run(
        `INSERT INTO alert_deliveries (id, alert, name, kind, address, happenings, total, created, status, attempts, next,
           ended, reason) VALUES (?, 'gone', '', 'mail', 'a@b.c', '[]', 1, ?, 'sent', 1, 0, 1, '')`,
        `d${number}`,
        start - number,
      )
    }
  })
  const to = [mailTo('ann@example.org')]
  expect((await ask('PATCH', `/v1/alert/${id}`, { cookie: admin, body: { to } })).status).toBe(200)
  await pass(10_000)
  expect((await deliveries())[0]).toMatchObject({ status: 'failed', failureReason: 'ADDRESS_REMOVED', attempts: 1 })
  const { body } = await ask('GET', '/v1/alert-deliveries?page=21', { cookie: admin })
  expect(body).toMatchObject({ total: 1000, items: [] })
})
