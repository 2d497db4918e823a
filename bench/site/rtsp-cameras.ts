import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** What all cameras send in a loop, each from another keyframe on. `seconds`: its length. */
export type Picture = {
  codec: 'h264' | 'h265'
  size: string
  fps: number
  /** Frames from one keyframe to the next. */
  keyframeEvery: number
  bitsPerSecond: number
  seconds: number
}

/** `killed`: a camera's connections are reset, and new ones refused. `silent`: they stay, but nothing more comes. */
export const lossWays = ['killed', 'silent'] as const
type LossWay = (typeof lossWays)[number]

export type Cameras = {
  addressOf: (camera: number) => string
  /** When each camera's last keyframes were sent, in epoch milliseconds, newest last. */
  keyframesOf: (camera: number) => readonly number[]
  /** Cameras with a client now. */
  playing: () => number
  lose: (camera: number, how: LossWay) => void
  comeBack: (camera: number) => void
  stop: () => void
}

const encoders = {
  h264: '-c:v libx264 -bf 0',
  h265: '-c:v libx265 -x265-params log-level=error:bframes=0',
}

/** Noise, so that the encoder uses the whole bit rate. */
const encode = ({ codec, size, fps, keyframeEvery, bitsPerSecond, seconds }: Picture): Buffer => {
  const args =
    `-nostdin -v error -f lavfi -i testsrc2=s=${size}:r=${fps}:d=${seconds} -vf noise=alls=12:allf=t ` +
    `${encoders[codec]} -preset ultrafast -pix_fmt yuv420p -g ${keyframeEvery} -keyint_min ${keyframeEvery} ` +
    `-sc_threshold 0 -b:v ${bitsPerSecond} -maxrate ${bitsPerSecond} -bufsize ${bitsPerSecond} ` +
    `-f ${codec === 'h264' ? 'h264' : 'hevc'} pipe:1`
  const { stdout, status } = spawnSync('ffmpeg', args.split(' '), { maxBuffer: 1024 ** 3 })
  if (status !== 0) throw new Error('the picture of the cameras could not be encoded')
  return stdout
}

/** The NAL units of an Annex B stream, without their start codes. */
const unitsOf = (stream: Buffer): Buffer[] => {
  const units: Buffer[] = []
  let from = -1
  for (let at = stream.indexOf('\0\0\x01', 0, 'latin1'); at !== -1; at = stream.indexOf('\0\0\x01', at + 3, 'latin1')) {
    if (from !== -1) units.push(stream.subarray(from, stream[at - 1] === 0 ? at - 1 : at))
    from = at + 3
  }
  if (from !== -1) units.push(stream.subarray(from))
  return units
}

type Kind = { isPicture: boolean; isKey: boolean; isSet: boolean; isFirstSlice: boolean }

const kindOf = (unit: Buffer, codec: Picture['codec']): Kind => {
  if (codec === 'h264') {
    const type = (unit[0] ?? 0) & 0x1f
    const isPicture = type === 1 || type === 5
    return {
      isPicture,
      isKey: type === 5,
      isSet: type === 7 || type === 8,
      isFirstSlice: ((unit[1] ?? 0) & 0x80) !== 0,
    }
  }
  const type = ((unit[0] ?? 0) >> 1) & 0x3f
  const isPicture = type < 32
  return {
    isPicture,
    isKey: type >= 16 && type <= 21,
    isSet: type >= 32 && type <= 34,
    isFirstSlice: ((unit[2] ?? 0) & 0x80) !== 0,
  }
}

type Access = { isKey: boolean; packets: Buffer }

const payloadBytes = 1400
/** The headers of the interleaved frame and of the RTP packet. */
const headBytes = 4 + 12

const packet = (isLast: boolean, ...content: Buffer[]): Buffer => {
  const length = content.reduce((sum, { length: each }) => sum + each, 0)
  const bytes = Buffer.concat([Buffer.alloc(headBytes), ...content])
  bytes[0] = 0x24
  bytes.writeUInt16BE(length + 12, 2)
  bytes[4] = 0x80
  bytes[5] = 96 | (isLast ? 0x80 : 0)
  bytes.writeUInt32BE(0x5167117e, 12)
  return bytes
}

/** The RTP packets of one NAL unit (RFC 6184 FU-A, RFC 7798 FU). */
const packetsOf = (unit: Buffer, codec: Picture['codec'], isLast: boolean): Buffer[] => {
  if (unit.length <= payloadBytes) return [packet(isLast, unit)]
  const [first = 0, second = 0] = unit
  const header =
    codec === 'h264' ? Buffer.from([(first & 0xe0) | 28]) : Buffer.from([(first & 0x81) | (49 << 1), second])
  const type = codec === 'h264' ? first & 0x1f : (first >> 1) & 0x3f
  const packets: Buffer[] = []
  for (let at = header.length; at < unit.length; at += payloadBytes) {
    const isEnd = at + payloadBytes >= unit.length
    const mark = type | (at === header.length ? 0x80 : 0) | (isEnd ? 0x40 : 0)
    packets.push(packet(isLast && isEnd, header, Buffer.from([mark]), unit.subarray(at, at + payloadBytes)))
  }
  return packets
}

const accessesOf = (units: readonly Buffer[], codec: Picture['codec']): Access[] => {
  const groups: { isKey: boolean; units: Buffer[]; hasPicture: boolean }[] = []
  for (const unit of units) {
    const { isPicture, isKey, isFirstSlice } = kindOf(unit, codec)
    const open = groups.at(-1)
    const isNew = open === undefined || (open.hasPicture && (!isPicture || isFirstSlice))
    const group = isNew ? { isKey: false, units: [], hasPicture: false } : open
    if (isNew) groups.push(group)
    group.units.push(unit)
    group.isKey ||= isKey
    group.hasPicture ||= isPicture
  }
  return groups
    .filter(({ hasPicture }) => hasPicture)
    .map(({ isKey, units: own }) => ({
      isKey,
      packets: Buffer.concat(own.flatMap((unit, index) => packetsOf(unit, codec, index === own.length - 1))),
    }))
}

const describe = (codec: Picture['codec'], units: readonly Buffer[]): string => {
  const sets = units.filter((unit) => kindOf(unit, codec).isSet).slice(0, codec === 'h264' ? 2 : 3)
  const [one = '', two = '', three = ''] = sets.map((unit) => unit.toString('base64'))
  const format =
    codec === 'h264'
      ? `packetization-mode=1;sprop-parameter-sets=${one},${two}`
      : `sprop-vps=${one};sprop-sps=${two};sprop-pps=${three}`
  return [
    'v=0',
    'o=- 0 0 IN IP4 127.0.0.1',
    's=Camera',
    't=0 0',
    'm=video 0 RTP/AVP 96',
    `a=rtpmap:96 ${codec.toUpperCase()}/90000`,
    `a=fmtp:96 ${format}`,
    'a=control:track1',
    '',
  ].join('\r\n')
}

type Player = { socket: Socket; camera: number; at: number; sequence: number; time: number }

const keptKeyframes = 400

/** One RTSP server with a mount for every camera, over TCP, in real time. */
export const startCameras = async (picture: Picture): Promise<Cameras> => {
  const units = unitsOf(encode(picture))
  const accesses = accessesOf(units, picture.codec)
  const keys = accesses.flatMap(({ isKey }, index) => (isKey ? [index] : []))
  const description = describe(picture.codec, units)
  const players = new Map<Socket, Player>()
  const sentKeyframes = new Map<number, number[]>()
  const lost = new Map<number, LossWay>()
  const ticks = 90_000 / picture.fps

  const send = (player: Player): void => {
    const access = accesses[player.at % accesses.length]
    if (access === undefined || lost.has(player.camera)) return
    if (access.isKey) {
      const own = sentKeyframes.get(player.camera) ?? []
      own.push(Date.now())
      if (own.length > keptKeyframes) own.shift()
      sentKeyframes.set(player.camera, own)
    }
    const bytes = Buffer.from(access.packets)
    for (let at = 0; at < bytes.length; at += 4 + bytes.readUInt16BE(at + 2)) {
      bytes.writeUInt16BE(player.sequence, at + 6)
      bytes.writeUInt32BE(player.time, at + 8)
      player.sequence = (player.sequence + 1) & 0xffff
    }
    player.socket.write(bytes)
    player.at += 1
    player.time = (player.time + ticks) % 2 ** 32
  }

  const began = performance.now()
  let sentFrames = 0
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) * picture.fps) / 1000)
    for (; sentFrames < due; sentFrames += 1) for (const player of players.values()) send(player)
  }, 1000 / picture.fps)

  const serve = (socket: Socket): void => {
    socket.on('error', () => undefined)
    socket.on('close', () => players.delete(socket))
    let begun = ''
    let camera = 0
    socket.on('data', (chunk) => {
      const requests = (begun + chunk.toString('latin1')).split('\r\n\r\n')
      begun = requests.pop() ?? ''
      for (const request of requests) {
        const method = request.split(' ')[0] ?? ''
        camera = Number(/^[A-Z]+ \S*\/camera-(\d+)/.exec(request)?.[1] ?? camera)
        if (lost.get(camera) === 'killed') return socket.resetAndDestroy()
        const answers: Readonly<Record<string, string>> = {
          OPTIONS: 'Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, GET_PARAMETER\r\n\r\n',
          DESCRIBE: `Content-Type: application/sdp\r\nContent-Length: ${description.length}\r\n\r\n${description}`,
          SETUP: 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1234;timeout=60\r\n\r\n',
        }
        const sequence = /^CSeq: (\d+)/im.exec(request)?.[1] ?? '1'
        socket.write(`RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\n${answers[method] ?? 'Session: 1234\r\n\r\n'}`, 'latin1')
        if (method === 'PLAY') {
          players.set(socket, { socket, camera, at: keys[camera % keys.length] ?? 0, sequence: 1, time: 90_000 })
        }
      }
    })
  }
  const resetAll = (camera: number): void => {
    for (const player of players.values()) if (player.camera === camera) player.socket.resetAndDestroy()
  }
  const server = createServer(serve).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  return {
    addressOf: (camera) => `rtsp://127.0.0.1:${port}/camera-${camera}`,
    keyframesOf: (camera) => sentKeyframes.get(camera) ?? [],
    playing: () => players.size,
    lose: (camera, how) => {
      lost.set(camera, how)
      if (how === 'killed') resetAll(camera)
    },
    comeBack: (camera) => {
      resetAll(camera)
      lost.delete(camera)
    },
    stop: () => {
      clearInterval(timer)
      for (const socket of players.keys()) socket.destroy()
      server.close()
    },
  }
}
