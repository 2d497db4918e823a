import { type APIRequestContext, expect, request } from 'playwright/test'
import { floorPlanPng } from '../../tests/fixtures/floor-plan.ts'
import { type Role, roles } from './pages.ts'

/** The data on the server, which the journeys don't change. */
export interface World {
  /** The uids of a camera that everybody may see and of one that only the administrator may see. */
  readonly stream: string
  readonly hidden: string
  readonly mosaic: string
  readonly group: string
  readonly plan: string
}

type Account = { readonly name: string; readonly password: string }

export const accounts: Readonly<Record<Role, Account>> = {
  administrator: { name: 'admin', password: 'correct horse battery' },
  user: { name: 'ursula', password: 'of my own choice' },
  readOnly: { name: 'rob', password: 'to watch and no more' },
}

/** The password that the administrator gives new users. */
const initialPassword = 'handed over 99'

/** Calls the server as a user. */
class Caller {
  private readonly context: APIRequestContext

  private constructor(context: APIRequestContext) {
    this.context = context
  }

  static async signIn(address: string, data: Account): Promise<Caller> {
    const caller = new Caller(await request.newContext({ baseURL: address, extraHTTPHeaders: { origin: address } }))
    await caller.post('/v1/sign-in', data)
    return caller
  }

  async post(path: string, data: object): Promise<Record<string, unknown>> {
    const answer = await this.context.post(path, { data })
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()} ${await answer.text()}`)
    return answer.json()
  }

  async get(path: string): Promise<Record<string, unknown>> {
    return (await this.context.get(path)).json()
  }

  async isThere(path: string): Promise<boolean> {
    return (await this.context.get(path)).ok()
  }

  async putPicture(path: string, data: Buffer): Promise<void> {
    await this.context.put(path, { data, headers: { 'content-type': 'image/png' } })
  }

  async patch(path: string, data: object): Promise<void> {
    await this.context.patch(path, { data })
  }

  dispose(): Promise<void> {
    return this.context.dispose()
  }
}

/**
 * Creates two cameras, an alert, a group, a floor plan, a user, a read-only user and a mosaic of the user, and for each
 * user a token, a bookmark and a second session.
 */
export async function furnish(address: string): Promise<World> {
  const admin = await Caller.signIn(address, accounts.administrator)
  const { uid: stream } = await admin.post('/v1/stream', { name: 'Gate', streamSource: 'demo:gate' })
  const { uid: hidden } = await admin.post('/v1/stream', {
    name: 'Vault',
    streamSource: 'demo:yard',
    live: { onDemand: true },
  })
  const to = [{ kind: 'mail', address: 'guard@example.org' }]
  const { id: group } = await admin.post('/v1/groups', { kind: 'users', name: 'Guards' })
  const cameras = [{ streamId: stream, x: 0.5, y: 0.5 }]
  const { id: plan } = await admin.post('/v1/plans', { title: 'Ground floor', cameras })
  await admin.putPicture(`/v1/plan/${String(plan)}/picture`, floorPlanPng())
  await admin.post('/v1/alerts', { name: 'Night watch', on: ['disk.full'], quietMinutes: 10, to })
  await admin.get(`/v1/stream/${String(stream)}/share`)
  for (const [role, maxStreamCreation] of [
    ['user', 3],
    ['readOnly', 0],
  ] as const) {
    await admin.post('/v1/user', {
      name: accounts[role].name,
      password: initialPassword,
      permissionType: 'user',
      maxStreamCreation,
    })
  }
  const watching = { canView: true, canViewArchive: true }
  await admin.post(`/v1/stream/${String(stream)}/permissions`, {
    permissions: [
      { login: accounts.user.name, ...watching, canAdmin: true },
      { login: accounts.readOnly.name, ...watching, canAdmin: false },
    ],
  })
  const time = new Date().toISOString()
  await expect
    .poll(() => admin.isThere(`/v1/stream/preview?${new URLSearchParams({ stream_id: String(stream), time })}`))
    .toBe(true)
  const mosaic = { id: '' }
  for (const role of roles) {
    const account = accounts[role]
    const caller =
      role === 'administrator' ? admin : await Caller.signIn(address, { ...account, password: initialPassword })
    if (role !== 'administrator')
      await caller.patch('/v1/user', { oldPassword: initialPassword, password: account.password })
    await caller.post('/v1/token', { name: 'Backup', expireTime: null })
    await caller.post('/v1/bookmarks', { streamId: stream, time, note: 'A van at the gate' })
    if (role === 'user')
      mosaic.id = String(
        (
          await caller.post('/v1/mosaic', {
            name: 'North side',
            columns: 1,
            rows: 1,
            cells: [{ streamUid: stream, x: 0, y: 0, w: 1, h: 1 }],
          })
        )['id'],
      )
    if (caller !== admin) await caller.dispose()
  }
  await admin.dispose()
  return { stream: String(stream), hidden: String(hidden), mosaic: mosaic.id, group: String(group), plan: String(plan) }
}
