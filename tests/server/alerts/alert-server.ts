import { createHmac } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { AlertEngine } from '../../../server/alerts/engine.ts'
import type { ServerOptions } from '../../../server/app.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { createStreamsPlugin } from '../../../server/streams/plugin.ts'
import type { Site } from '../../../server/streams/site.ts'
import { startServer, type Harness } from '../fixtures/harness.ts'
import type { MailServer } from '../fixtures/mail-server.ts'
import { serve } from '../fixtures/video.ts'

export type AlertServer = Harness & {
  admin: string
  site: Site
  /** Makes these streams fail, and all others run. */
  fail: (...uids: string[]) => void
  /** Moves the clock in steps of two seconds, checks after each step, and waits until all messages are sent. */
  pass: (ms: number) => Promise<void>
  add: (alert: object) => Promise<string>
  deliveries: () => Promise<Record<string, unknown>[]>
  alerts: AlertEngine
}

/** A server whose streams fail when the test says so, with the test's clock. */
export const alertServer = async ({
  mail,
  uids = [],
  ...options
}: Partial<ServerOptions> & { mail?: MailServer; uids?: readonly string[] } = {}): Promise<AlertServer> => {
  const sites: Site[] = []
  const engines: AlertEngine[] = []
  const starts: Promise<void>[] = []
  const server = await startServer({
    defaults: {
      ...builtInValues,
      storage: { ...builtInValues.storage, diskWarningPercent: 100 },
      ...(mail === undefined
        ? {}
        : { mail: { ...builtInValues.mail, host: '127.0.0.1', port: mail.port, security: 'none' } }),
    },
    ...options,
    plugins: [
      async (_app, { store }) => {
        for (const uid of uids) {
          await store.run(
            `INSERT INTO streams (uid, name, source, tags, location, marker, is_archived, depth_hours, is_on_demand,
               is_paused, owner, created_at, needle) VALUES (?, ?, 'demo:gate', '[]', '', '', 0, 0, 1, 0, NULL, 0, '')
             ON CONFLICT DO NOTHING`,
            uid,
            `Camera ${uid}`,
          )
        }
      },
      createStreamsPlugin({
        allowLoopback: true,
        onSite: (site) => sites.push(site),
        onAlerts: (engine) => engines.push(engine),
        onStart: (started) => starts.push(started),
      }),
    ],
  })
  await Promise.all(starts)
  const [site] = sites
  const [alerts] = engines
  if (site === undefined || alerts === undefined) throw new Error('no site')
  let failing: readonly string[] = []
  site.status = ({ uid }) =>
    failing.includes(uid)
      ? { status: 'failed', failureReason: 'EHOSTUNREACH' }
      : { status: 'running', failureReason: '' }
  const { ask, addUser, signIn, wait, context } = server
  if (!(await context.accounts.hasAdministrator())) await addUser('root', true)
  const admin = await signIn('root')
  return {
    ...server,
    admin,
    site,
    alerts,
    fail: (...some) => {
      failing = some
    },
    pass: async (ms) => {
      for (let passed = 0; passed < ms; passed += 2000) {
        wait(2000)
        await alerts.check()
        await alerts.settled()
      }
    },
    add: async (alert) => {
      const { status, body } = await ask('POST', '/v1/alerts', { cookie: admin, body: alert })
      if (status !== 200) throw new Error(JSON.stringify(body))
      return String(Reflect.get(Object(body), 'id'))
    },
    deliveries: async () => {
      const { body } = await ask('GET', '/v1/alert-deliveries', { cookie: admin })
      return Object(body).items
    },
  }
}

export const webhookSecret = 'a secret of 24 letters..'

type Call = { body: Record<string, unknown>; id: string; isSigned: boolean }

/** A receiver that checks signatures by docs/wire.md §6.2 and answers these statuses one after another, then 204. */
export const receiver = async (...statuses: number[]): Promise<{ address: string; calls: Call[] }> => {
  const calls: Call[] = []
  const address = await serve(async (request, response) => {
    const body = await text(request)
    const header = (name: string): string => String(request.headers[name])
    const signed = `${header('webhook-id')}.${header('webhook-timestamp')}.${body}`
    const signature = `v1,${createHmac('sha256', webhookSecret).update(signed).digest('base64')}`
    calls.push({
      body: JSON.parse(body),
      id: header('webhook-id'),
      isSigned: header('webhook-signature') === signature,
    })
    response.writeHead(statuses.shift() ?? 204).end()
  })
  return { address: `${address}/hook?token=hush`, calls }
}
