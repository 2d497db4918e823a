import { expect, test, vi } from 'vitest'
import { builtInValues } from '../../../server/configuration/values.ts'
import { startServer } from '../fixtures/harness.ts'

const server = async () => {
  const defaults = { ...builtInValues, mail: { ...builtInValues.mail, host: '192.0.2.25' } }
  const harness = await startServer({ defaults })
  await harness.addUser('root', true)
  const addAddress = async (login: string) => {
    await harness.addUser(login)
    await harness.context.accounts.change(login, { email: `${login}@example.org` })
  }
  const made = vi.spyOn(harness.context.mailer, 'sendLater').mockReturnValue()
  let host = 0
  /** From one network after the other. Whether there is a letter, too. */
  const send = async (email: string) => {
    host += 1
    const calls = made.mock.calls.length
    const { status } = await harness.ask('POST', '/v1/password/send-reset', {
      body: { email },
      ip: `2001:db8:0:${host.toString(16)}::1`,
    })
    const letters = await Promise.all(made.mock.calls.slice(calls).map(([compose]) => compose))
    return { status, isSent: letters.some((compose) => compose !== undefined) }
  }
  return { ...harness, addAddress, send }
}

test('no number of unknown addresses keeps a user from recovery', async () => {
  const { addAddress, send } = await server()
  await addAddress('ann')
  for (let count = 0; count < 110; count += 1) {
    expect(await send(`x${count}@example.org`)).toEqual({ status: 200, isSent: false })
  }
  expect(await send('ann@example.org')).toEqual({ status: 200, isSent: true })
})

test('all users together are sent 100 codes, then one each half minute, with the same answers', async () => {
  const { addAddress, send, wait, context } = await server()
  const logins = Array.from({ length: 103 }, (_, index) => `user${index}`)
  for (const login of logins) await addAddress(login)
  const sent: boolean[] = []
  for (const login of logins.slice(0, 101)) {
    const { status, isSent } = await send(`${login}@example.org`)
    expect(status).toBe(200)
    sent.push(isSent)
  }
  expect(sent).toEqual([...Array.from({ length: 100 }, () => true), false])
  const lines = context.serverLog.read(undefined).map(({ message }) => message)
  expect(lines.filter((line) => line.startsWith('a reset code was not sent'))).toEqual([
    expect.stringContaining('login=user100'),
  ])
  expect(await send('nobody@example.org')).toEqual({ status: 200, isSent: false })
  wait(30_000)
  expect(await send('user101@example.org')).toEqual({ status: 200, isSent: true })
  expect(await send('user102@example.org')).toEqual({ status: 200, isSent: false })
})
