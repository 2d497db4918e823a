import { setTimeout as after } from 'node:timers/promises'
import { itemsOf, jsonOf, member, rawConnection } from './calls.ts'
import { addPerson, addStream, grant, needed, recordedMs, type Person } from './people.ts'
import { openTarget, untilHolds, type Attack, type Scene } from './scene.ts'

/** The newest entries of the audit log, of a login or an action by the query. */
export const entries = async (by: Person, query: Record<string, string> = {}, pages = 1): Promise<unknown[]> => {
  const found: unknown[] = []
  for (let page = 1; page <= pages; page += 1)
    found.push(
      ...itemsOf(await by.ask('GET', `/v1/admin/audit-logs?${new URLSearchParams({ ...query, page: String(page) })}`)),
    )
  return found
}
export const totalOf = async (by: Person, query: Record<string, string>): Promise<number> =>
  Number(
    member(
      jsonOf(await by.ask('GET', `/v1/admin/audit-logs?${new URLSearchParams({ ...query, page: '1' })}`)),
      'total',
    ) ?? 0,
  )

/** Milliseconds from the request to the reset of its connection. */
const delays = [5, 5, 5, 1, 10, 20]

const resetRequests = async (scene: Scene): Promise<void> => {
  const { target, admin } = await openTarget(scene)
  for (const [index, ms] of delays.entries()) {
    const body = JSON.stringify({
      name: `ghost${index}`,
      email: `ghost${index}@example.org`,
      fullName: '',
      password: `made in passing ${index}`,
      language: 'en',
      permissionType: 'admin',
      maxStreamCreation: -1,
    })
    const socket = await rawConnection(target.origin())
    const { host } = new URL(target.origin())
    const headers = {
      host,
      origin: target.origin(),
      ...admin.proof(),
      'content-type': 'application/json',
      'content-length': String(body.length),
    }
    socket.write(
      `POST /v1/user HTTP/1.1\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n${body}`,
    )
    await after(ms)
    socket.resetAndDestroy()
    await after(400)
  }
  const users = itemsOf(await admin.ask('GET', '/v1/users'))
    .map((user) => String(member(user, 'name')))
    .filter((name) => name.startsWith('ghost'))
  const log = JSON.stringify(await entries(admin))
  const unseen = users.filter((name) => !log.includes(name))
  scene.note(
    `POST /v1/user reset ${[...new Set(delays)].join(', ')} ms after it was sent, ${delays.length} administrators`,
    `${users.length} were made, ${unseen.length} of them without an entry`,
    unseen.length === 0,
  )
}

const brokenDownload = async (scene: Scene): Promise<void> => {
  const { target, admin } = await openTarget(scene)
  const uid = await addStream(admin, 'Gate', 'demo:gate')
  await untilHolds(async () => (await recordedMs(admin, uid, Date.now() - 60_000, Date.now())) > 8000, 60)
  const viewer = await addPerson(target, admin, 'thief')
  await grant(admin, uid, 'thief', { canViewArchive: true })
  const query = new URLSearchParams({
    start_time: new Date(Date.now() - 60_000).toISOString(),
    end_time: new Date().toISOString(),
    timezone_offset: '0',
  })
  const socket = await rawConnection(target.origin())
  const { cookie = '' } = viewer.proof()
  let bytes = 0
  const enough = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > 100_000) resolve()
    })
  })
  socket.write(
    `GET /v1/stream/${uid}/archive/download?${query} HTTP/1.1\r\nHost: ${new URL(target.origin()).host}\r\n` +
      `Cookie: ${cookie}\r\n\r\n`,
  )
  await Promise.race([enough, after(5000)])
  socket.resetAndDestroy()
  await after(500)
  const found = await totalOf(admin, { login: 'thief', action: 'archive.download' })
  scene.note(
    'a download broken off after 100 kB',
    `${Math.round(bytes / 1000)} kB were received; ${found} entries`,
    found > 0 && bytes > 0,
  )
}

const switchedAndRead = async (scene: Scene): Promise<void> => {
  const { admin } = await openTarget(scene)
  const since = async () => Number(member((await entries(admin))[0], 'id') ?? 0)
  const before = await since()
  const change = async (isEnabled: boolean) =>
    needed(await admin.ask('PUT', '/v1/admin/configuration', { body: { values: { audit: { isEnabled } } } }))
  await change(false)
  await admin.ask('POST', '/v1/mosaic', { body: { name: 'unseen', columns: 1, rows: 1, cells: [] } })
  await change(true)
  const added = (await entries(admin)).filter((entry) => Number(member(entry, 'id')) > before)
  const switches = added.filter((entry) => /^(?:configuration|audit)\.(?!read)/.test(String(member(entry, 'action'))))
  scene.note(
    'the audit log switched off and on again',
    `${switches.length} of 2 switches are recorded`,
    switches.length >= 2,
  )

  const isOfLog = (entry: unknown) => String(member(entry, 'action')).startsWith('audit')
  const missing: string[] = []
  for (const path of ['/v1/system/support-bundle', '/v1/admin/configuration', '/v1/users']) {
    const last = await since()
    await admin.ask('GET', path)
    const made = (await entries(admin)).filter((entry) => Number(member(entry, 'id')) > last && !isOfLog(entry))
    if (made.length === 0) missing.push(path)
  }
  // Repeated reads may make one entry.
  if (!(await entries(admin, {}, 2)).some(isOfLog)) missing.push('/v1/admin/audit-logs')
  scene.note(
    'support bundle, configuration, users and the log itself, read',
    missing.length === 0 ? 'each is recorded' : `no entry of ${missing.join(', ')}`,
    missing.length === 0,
  )
}

const lookAlike = async (scene: Scene): Promise<void> => {
  const { target, admin } = await openTarget(scene)
  const user = await addPerson(target, admin, 'mallory')
  const rename = async (name: string) => needed(await user.ask('PATCH', '/v1/user', { body: { name } }))
  await rename('adm1n')
  await user.ask('POST', '/v1/mosaic', { body: { name: 'as another', columns: 1, rows: 1, cells: [] } })
  await rename('mallory')
  const log = await entries(admin)
  const names = log.filter((entry) => JSON.stringify(entry).includes('adm1n'))
  const isJoined = names.some((entry) => JSON.stringify(entry).includes('mallory'))
  scene.note(
    'acting under a look-alike login, then renaming back',
    isJoined
      ? 'an entry names both logins'
      : `${names.length} entries name the look-alike, none of them the user behind it`,
    isJoined,
  )
}

export const auditAttacks: readonly Attack[] = [
  { name: 'audit: reset after the request', run: resetRequests },
  { name: 'audit: a download broken off', run: brokenDownload },
  { name: 'audit: switched off, and read', run: switchedAndRead },
  { name: 'audit: a look-alike login', run: lookAlike },
]
