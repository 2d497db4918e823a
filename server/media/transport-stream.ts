import type { SourceTrack } from './encoding.ts'

/** MPEG-TS (ISO/IEC 13818-1) comes in packets of this length, each with this first byte. */
const packetBytes = 188
const syncByte = 0x47

/** The types of elementary streams in a program map. Sound of other types counts only once a probe has found it. */
const videoTypes = new Set([0x01, 0x02, 0x10, 0x1b, 0x24])
const soundTypes = new Set([0x03, 0x04, 0x0f, 0x11, 0x81])
const [h264Type, h265Type] = [0x1b, 0x24]

/** Sound counts as coming after a second of it, and as gone after some seconds without it. In 1/90000 s, as all PTS. */
const ptsPerSecond = 90_000
const minSound = ptsPerSecond
const maxSoundGap = 3 * ptsPerSecond

/** `track` is known of AAC alone; other sound takes a probe. */
export type Sound = { track: SourceTrack | undefined }

export type TransportReader = {
  /**
   * Reads the whole packets among `packets`. If a keyframe is wanted, it stops at the first one and returns where that
   * begins. What it hasn't read must come again, at the head of the next packets.
   */
  take: (packets: Buffer, wantsKeyframe: boolean) => number | undefined
  /** The sound that comes now; undefined if none comes. */
  sound: () => Sound | undefined
  /** The packets without which a reader can't begin with a keyframe; undefined if they aren't known. */
  tables: () => Buffer | undefined
}

export const wholePackets = (bytes: Buffer): number => bytes.length - (bytes.length % packetBytes)

/** How many bytes `isTransportStream` needs. */
export const headBytes = 2 * packetBytes + 1

export const isTransportStream = (head: Buffer): boolean =>
  [0, packetBytes, 2 * packetBytes].every((at) => head[at] === syncByte)

/** `isMarked`: its random access indicator says that a keyframe begins in it, if it is of a picture. */
type Packet = { pid: number; isMarked: boolean; payload: Buffer }

const readPacket = (bytes: Buffer): Packet => {
  const [, second = 0, third = 0, fourth = 0, length = 0, flags = 0] = bytes
  const hasField = (fourth & 0x20) !== 0
  return {
    pid: ((second & 0x1f) << 8) | third,
    isMarked: hasField && length > 0 && (flags & 0x40) !== 0,
    payload: (fourth & 0x10) === 0 ? Buffer.alloc(0) : bytes.subarray(hasField ? 5 + length : 4),
  }
}

/** The section that begins in a payload, without its checksum; undefined if it doesn't end there. */
const sectionIn = (payload: Buffer, tableId: number): Buffer | undefined => {
  const section = payload.subarray(1 + (payload[0] ?? 0))
  if (section.length < 12 || section[0] !== tableId) return undefined
  const end = 3 + (section.readUInt16BE(1) & 0xfff)
  return end <= section.length && end >= 12 ? section.subarray(0, end - 4) : undefined
}

/** The PID of the map of the first program. */
const mapPidIn = (payload: Buffer): number | undefined => {
  const section = sectionIn(payload, 0)
  if (section === undefined) return undefined
  for (let at = 8; at + 4 <= section.length; at += 4) {
    if (section.readUInt16BE(at) !== 0) return section.readUInt16BE(at + 2) & 0x1fff
  }
  return undefined
}

/** The types of the elementary streams of a program, by PID. */
const typesIn = (payload: Buffer): Map<number, number> | undefined => {
  const section = sectionIn(payload, 2)
  if (section === undefined) return undefined
  const types = new Map<number, number>()
  let at = 12 + (section.length < 12 ? 0 : section.readUInt16BE(10) & 0xfff)
  while (at + 5 <= section.length) {
    types.set(section.readUInt16BE(at + 1) & 0x1fff, section[at] ?? 0)
    at += 5 + (section.readUInt16BE(at + 3) & 0xfff)
  }
  return types
}

/** The PTS of a PES packet and the bytes after its header; undefined without a PTS. */
const pesIn = (payload: Buffer): { pts: number; data: Buffer } | undefined => {
  const [a, b, c, , , , , flags = 0, length = 0, high = 0] = payload
  if (a !== 0 || b !== 0 || c !== 1 || (flags & 0x80) === 0 || payload.length < 14) return undefined
  const pts = ((high >> 1) & 7) * 2 ** 30 + (payload.readUInt16BE(10) >> 1) * 2 ** 15 + (payload.readUInt16BE(12) >> 1)
  return { pts, data: payload.subarray(9 + length) }
}

const aacRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350]
const aacProfiles = ['Main', 'LC', 'SSR', 'LTP']

/** The track of AAC with an ADTS header (ISO/IEC 13818-7, 6.2). */
const aacTrack = (data: Buffer): SourceTrack | undefined => {
  const [first = 0, second = 0, third = 0] = data
  const sampleRate = aacRates[(third >> 2) & 0xf]
  if (first !== 0xff || (second & 0xf6) !== 0xf0 || sampleRate === undefined) return undefined
  return { type: 'audio', codec: 'aac', profile: aacProfiles[third >> 6], sampleRate }
}

/** Whether a packet has a parameter set or a keyframe of H.264 or H.265: not every camera marks its keyframes. */
const beginsKeyframe = (data: Buffer, type: number): boolean => {
  for (let at = data.indexOf('000001', 0, 'hex'); at !== -1; at = data.indexOf('000001', at + 3, 'hex')) {
    const header = data[at + 3] ?? 0
    const unit = type === h265Type ? (header >> 1) & 0x3f : header & 0x1f
    if (type === h264Type && (unit === 5 || unit === 7)) return true
    if (type === h265Type && unit >= 16 && unit <= 33) return true
  }
  return false
}

/** From one PTS to another, of 33 bits. */
const ptsStep = (from: number, to: number): number => {
  const step = (to - from + 2 ** 33) % 2 ** 33
  return step < 2 ** 32 ? step : step - 2 ** 33
}

/** Follows the tracks of a transport stream as it passes by. */
export const createTransportReader = (): TransportReader => {
  let mapPid: number | undefined
  let types = new Map<number, number>()
  let association: Buffer | undefined
  let map: Buffer | undefined
  /** A packet didn't begin with the sync byte: no more is read. */
  let isOutOfSync = false
  /** The latest PTS of a picture. */
  let pictureTime: number | undefined
  let latestSound: { since: number; until: number; track: SourceTrack | undefined } | undefined

  const noteSound = (payload: Buffer, type: number): void => {
    const pes = pesIn(payload)
    if (pes === undefined) return
    const step = latestSound === undefined ? -1 : ptsStep(latestSound.until, pes.pts)
    const since = latestSound === undefined || step < 0 || step > maxSoundGap ? pes.pts : latestSound.since
    latestSound = { since, until: pes.pts, track: type === 0x0f ? aacTrack(pes.data) : undefined }
  }

  const readTable = (packet: Buffer, { pid, payload }: Packet): void => {
    if (pid === 0) {
      mapPid = mapPidIn(payload)
      association = mapPid === undefined ? undefined : Buffer.from(packet)
      return
    }
    const found = typesIn(payload)
    types = found ?? types
    map = found === undefined ? undefined : Buffer.from(packet)
  }

  /** Reads the first packet of a section or PES packet; true if a keyframe begins in it. */
  const readStart = (bytes: Buffer, packet: Packet): boolean => {
    const { pid, payload, isMarked } = packet
    if (pid === 0 || pid === mapPid) {
      readTable(bytes, packet)
      return false
    }
    const type = types.get(pid)
    if (type !== undefined && soundTypes.has(type)) noteSound(payload, type)
    if (type === undefined || !videoTypes.has(type)) return false
    const pes = pesIn(payload)
    pictureTime = pes?.pts ?? pictureTime
    return isMarked || (pes !== undefined && beginsKeyframe(pes.data, type))
  }

  return {
    take: (packets, wantsKeyframe) => {
      for (let at = 0; at + packetBytes <= packets.length; at += packetBytes) {
        isOutOfSync ||= packets[at] !== syncByte
        if (isOutOfSync) return undefined
        const startsUnit = ((packets[at + 1] ?? 0) & 0x40) !== 0
        if (!startsUnit) continue
        const bytes = packets.subarray(at, at + packetBytes)
        const isKeyframe = readStart(bytes, readPacket(bytes))
        if (isKeyframe && wantsKeyframe) return at
      }
      return undefined
    },
    sound: () => {
      if (isOutOfSync || latestSound === undefined || pictureTime === undefined) return undefined
      const { since, until, track } = latestSound
      const comesNow = Math.abs(ptsStep(until, pictureTime)) < maxSoundGap
      return comesNow && ptsStep(since, until) >= minSound ? { track } : undefined
    },
    tables: () =>
      isOutOfSync || association === undefined || map === undefined ? undefined : Buffer.concat([association, map]),
  }
}
