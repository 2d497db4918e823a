import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createDice, type Dice } from '../values.ts'
import { httpAnswer } from './http.ts'
import { rtspAnswer } from './rtsp.ts'
import { makeMedia, type World } from './world.ts'

/** All hostile cameras of a run, and the canary that no source may reach. */
export type Farm = {
  world: World
  port: number
  /** The first bytes of the callers of the canary since the last call. */
  contacts: () => string[]
  /** The dice of a case and a turn, which depend only on the seed. */
  diceOf: (index: number, turn: number) => Dice
  close: () => void
}

const maxTurns = 40
/** A camera that stops sending is closed after this. */
const holdMs = 60

const listening = async (onSocket: (socket: Socket) => void): Promise<{ port: number; close: () => void }> => {
  const open = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => open.delete(socket))
    onSocket(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const close = () => {
    for (const socket of open) socket.destroy()
    server.close()
  }
  return { port: address === null || typeof address === 'string' ? 0 : address.port, close }
}

/** Writes in pieces of random length. */
const writeTorn = (socket: Socket, bytes: Buffer, dice: Dice): void => {
  if (!dice.onceIn(4)) return void socket.write(bytes)
  for (let at = 0; at < bytes.length && at < 4000;) {
    const piece = bytes.subarray(at, at + 1 + dice.below(700))
    socket.write(piece)
    at += piece.length
  }
  if (bytes.length > 4000) socket.write(bytes.subarray(4000))
}

/** Serves all cameras: the first number in a request's path is the case to answer with. */
export const openFarm = async (seed: number): Promise<Farm> => {
  const called: string[] = []
  const canary = await listening((socket) => {
    const silent = setTimeout(() => called.push('nothing'), 300)
    socket.once('data', (chunk: Buffer) => {
      clearTimeout(silent)
      called.push(JSON.stringify(chunk.toString('latin1').slice(0, 80)))
      socket.destroy()
    })
  })
  const turns = new Map<number, number>()
  const world: World = { own: '', canary: canary.port, media: makeMedia() }
  const diceOf = (index: number, turn: number): Dice => createDice(Math.imul(seed, 1_000_003) + index * 64 + turn)

  const answer = (socket: Socket, received: string): void => {
    const [, method = '', address = ''] = /^([A-Z]+) (\S+)/.exec(received) ?? []
    const index = Number(/^(?:[a-z]+:\/\/[^/]*)?\/(\d+)/.exec(address)?.[1] ?? 0)
    const turn = turns.get(index) ?? 0
    turns.set(index, turn + 1)
    if (turn > maxTurns) return void socket.destroy()
    const dice = diceOf(index, 1 + (turn % 60))
    const sequence = /^CSeq: *(\d+)/im.exec(received)?.[1]
    const own = { ...world, own: `${world.own}/${index}` }
    writeTorn(socket, sequence === undefined ? httpAnswer(own, dice) : rtspAnswer(own, dice, method, sequence), dice)
    if (sequence !== undefined && !dice.onceIn(20)) return
    if (dice.onceIn(30)) setTimeout(() => socket.destroy(), holdMs)
    else if (dice.onceIn(20)) socket.resetAndDestroy()
    else socket.end()
  }

  const cameras = await listening((socket) => {
    let received = ''
    socket.on('data', (chunk: Buffer) => {
      received = (received + chunk.toString('latin1')).slice(-20_000)
      while (received.includes('\r\n\r\n')) {
        const end = received.indexOf('\r\n\r\n') + 4
        answer(socket, received.slice(0, end))
        received = received.slice(end)
      }
    })
  })
  world.own = `http://127.0.0.1:${cameras.port}`
  return {
    world,
    port: cameras.port,
    diceOf,
    contacts: () => called.splice(0),
    close: () => {
      canary.close()
      cameras.close()
    },
  }
}
