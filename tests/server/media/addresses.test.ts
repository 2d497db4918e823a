import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { syncBuiltinESMExports } from 'node:module'
import os, { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ConnectFailure, connectOutside, isForbiddenAddress, resolveHost } from '../../../server/media/address.ts'
import { openHttpGateway } from '../../../server/media/http-gateway.ts'
import { sourceAt } from './sources.ts'

/** What names resolve to, one answer a look-up and the last one for ever. */
const names = vi.hoisted(() => new Map<string, string[][]>())
vi.mock('node:dns/promises', () => ({
  lookup: async (name: string) => {
    const answers = names.get(name) ?? []
    const found = answers.length > 1 ? answers.shift() : answers[0]
    if (found === undefined) throw new Error('ENOTFOUND')
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  },
}))

const failureOf = async (host: string, allowLoopback = false): Promise<string> =>
  resolveHost(host, allowLoopback).then(
    (addresses) => addresses.join(' '),
    (error: unknown) => (error instanceof ConnectFailure ? error.code : 'another failure'),
  )

/** The gateway on this machine's own loopback, where a test reaches it as ffmpeg does from within its namespace. */
vi.mock('../../../server/media/sandbox.ts', () => ({
  sandbox: () => ({ isolation: undefined, before: [], user: undefined }),
}))

describe('an address', () => {
  test.each([
    [
      'cameras live there',
      [
        '10.1.2.3',
        '172.16.0.9',
        '192.168.1.64',
        '100.64.0.1',
        'fd12:3456::1',
        '8.8.8.8',
        '2a00:1450::1',
        '::ffff:10.0.0.1',
      ],
      false,
      false,
    ],
    [
      'loopback, however it is written',
      [
        '127.0.0.1',
        '127.255.255.254',
        '::1',
        '0:0:0:0:0:0:0:1',
        '::ffff:127.0.0.1',
        '::ffff:7f00:1',
        '0:0:0:0:0:ffff:7f00:1',
      ],
      true,
      false,
    ],
    [
      'link-local',
      ['169.254.0.1', '169.254.169.254', 'fe80::1', 'fe80::1%eth0', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe'],
      true,
      true,
    ],
    [
      'where clouds keep the secrets of machines',
      ['169.254.169.254', 'fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
      true,
      true,
    ],
    ['this machine, any and all', ['0.0.0.0', '::', '255.255.255.255', '224.0.0.1', 'ff02::1'], true, true],
    [
      'an IPv4 address inside an IPv6 one',
      ['::127.0.0.1', '::7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:7f00:1::', '::ffff:0:7f00:1'],
      true,
      true,
    ],
    ['no address at all', ['', 'localhost', '127.1', '0x7f.1', '1.2.3.4.5', 'x'], true, true],
  ])('%s', (_name, addresses, isForbidden, isForbiddenWithLoopback) => {
    expect(
      addresses.map((address) => [address, isForbiddenAddress(address, false), isForbiddenAddress(address, true)]),
    ).toEqual(addresses.map((address) => [address, isForbidden, isForbiddenWithLoopback]))
  })
})

/** Addresses that other machines reach this one by. */
const own = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .filter(({ address }) => !address.startsWith('fe80:'))
  .flatMap(({ address, family }) => (family === 'IPv4' ? [address, `::ffff:${address}`] : [address]))

test.each(own)('this machine’s own %s counts as its own', (address) => {
  expect([isForbiddenAddress(address, false), isForbiddenAddress(address, true)]).toEqual([true, false])
})

test('an address that this machine gets at run time counts as its own', () => {
  const interfaces = vi.spyOn(os, 'networkInterfaces')
  onTestFinished(() => {
    interfaces.mockRestore()
    syncBuiltinESMExports()
  })
  expect(isForbiddenAddress('192.168.77.7', false)).toBe(false)
  const lease = {
    address: '192.168.77.7',
    netmask: '255.255.255.0',
    family: 'IPv4',
    mac: '',
    internal: false,
    cidr: null,
  } as const
  interfaces.mockReturnValue({ eth7: [lease] })
  syncBuiltinESMExports()
  expect(isForbiddenAddress('192.168.77.7', false)).toBe(true)
})

describe('a name', () => {
  test('is refused if any of its addresses is forbidden', async () => {
    names.set('inside.example', [['127.0.0.1']])
    names.set('mixed.example', [['8.8.8.8', '::1']])
    names.set('metadata.example', [['169.254.169.254']])
    names.set('camera.example', [['192.168.1.64', 'fd12::1']])
    expect(
      await Promise.all(
        ['inside.example', 'mixed.example', 'metadata.example', 'camera.example', 'nobody.example'].map((name) =>
          failureOf(name),
        ),
      ),
    ).toEqual(['ACCESS_DENIED_ERR', 'ACCESS_DENIED_ERR', 'ACCESS_DENIED_ERR', '192.168.1.64 fd12::1', 'EHOSTUNREACH'])
    expect([await failureOf('inside.example', true), await failureOf('metadata.example', true)]).toEqual([
      '127.0.0.1',
      'ACCESS_DENIED_ERR',
    ])
  })

  test('is resolved for each connection, which goes only to an address that was checked', async () => {
    names.set('rebound.example', [['192.168.1.64'], ['127.0.0.1']])
    expect(await failureOf('rebound.example')).toBe('192.168.1.64')
    await expect(connectOutside('rebound.example', 80, false)).rejects.toMatchObject({ code: 'ACCESS_DENIED_ERR' })
  })

  test('is not connected to once the request is aborted', async () => {
    const inside = createServer()
    inside.listen(0, '127.0.0.1')
    await once(inside, 'listening')
    onTestFinished(() => void inside.close())
    const address = inside.address()
    const port = address === null || typeof address === 'string' ? 0 : address.port
    names.set('camera.example', [['127.0.0.1']])
    const socket = await connectOutside('camera.example', port, true, new AbortController().signal)
    socket.destroy()
    await expect(connectOutside('camera.example', port, true, AbortSignal.abort())).rejects.toMatchObject({
      code: 'EHOSTUNREACH',
    })
  })

  test('in a redirect or a playlist is checked, too, and there are no tunnels', async () => {
    names.set('inside.example', [['127.0.0.1']])
    const asked: string[] = []
    const inside = createServer((call, answer) => {
      asked.push(call.url ?? '')
      answer.end('secret')
    })
    inside.on('connection', () => asked.push('connected'))
    inside.listen(0, '127.0.0.1')
    await once(inside, 'listening')
    const gateway = await openHttpGateway(sourceAt('http://camera.example/'), false)
    onTestFinished(() => {
      gateway.close()
      inside.close()
    })
    const address = inside.address()
    const port = address === null || typeof address === 'string' ? 0 : address.port
    const status = await new Promise<number>((resolve) => {
      request({ host: '127.0.0.1', port: gateway.port, path: `http://inside.example:${port}/key` }, (answer) =>
        resolve(answer.resume().statusCode ?? 0),
      ).end()
    })
    const tunnel = connect(gateway.port, '127.0.0.1')
    tunnel.write(`CONNECT inside.example:${port} HTTP/1.1\r\nHost: inside.example\r\n\r\n`)
    tunnel.resume()
    await once(tunnel, 'close')
    expect([status, gateway.failure(), tunnel.bytesRead, asked]).toEqual([502, 'ACCESS_DENIED_ERR', 0, []])
  })
})
