/** A codec's usual name, and an RFC 6381 string that every browser with the codec can play. */
interface Codec {
  readonly name: string
  readonly type: 'video' | 'audio'
  readonly example: string
}

const h264 = { name: 'H.264', type: 'video', example: 'avc1.42E01E' } as const
const h265 = { name: 'H.265', type: 'video', example: 'hvc1.1.6.L93.B0' } as const
const h266 = { name: 'H.266', type: 'video', example: 'vvc1.1.L51.CQA.O1+3' } as const
const aac = { name: 'AAC', type: 'audio', example: 'mp4a.40.2' } as const

/** By sample entry: the first four characters of a codec string, or a type in `stsd` of an initialization segment. */
const codecs: Readonly<Record<string, Codec>> = {
  avc1: h264,
  avc3: h264,
  hvc1: h265,
  hev1: h265,
  vvc1: h266,
  vvi1: h266,
  av01: { name: 'AV1', type: 'video', example: 'av01.0.04M.08' },
  vp08: { name: 'VP8', type: 'video', example: 'vp08.00.10.08' },
  vp09: { name: 'VP9', type: 'video', example: 'vp09.00.10.08' },
  mp4v: { name: 'MPEG-4', type: 'video', example: 'mp4v.20.9' },
  mp4a: aac,
  'ac-3': { name: 'AC-3', type: 'audio', example: 'ac-3' },
  'ec-3': { name: 'E-AC-3', type: 'audio', example: 'ec-3' },
  opus: { name: 'Opus', type: 'audio', example: 'opus' },
}

/** Sample entries by the names of codecs that ffmpeg and people use, in lower case without punctuation. */
const entryOfName: Readonly<Record<string, string>> = {
  h264: 'avc1',
  avc: 'avc1',
  h265: 'hvc1',
  hevc: 'hvc1',
  h266: 'vvc1',
  vvc: 'vvc1',
  av1: 'av01',
  vp8: 'vp08',
  vp9: 'vp09',
  mpeg4: 'mp4v',
}

/** The MIME type of MP4 with a codec, as `isTypeSupported` takes it. */
const mp4With = ({ type }: Codec, codec: string): string => `${type}/mp4; codecs="${codec}"`

/**
 * Whether the browser can play a codec, given by name or as in CODECS; true for an unknown codec, so that it is tried.
 */
export function isPlayable(codec: string, isSupported: (type: string) => boolean): boolean {
  const [entry = ''] = codec.trim().toLowerCase().split('.')
  const ofEntry = codecs[entry]
  if (ofEntry !== undefined && codec.includes('.')) return isSupported(mp4With(ofEntry, codec.trim()))
  const known = ofEntry ?? codecs[entryOfName[codec.toLowerCase().replaceAll(/[^a-z0-9]/g, '')] ?? '']
  return known === undefined || isSupported(mp4With(known, known.example))
}

/** The sample entries in CODECS of a multivariant playlist (rfc8216bis §4.4.6.2). */
export const entriesOfPlaylist = (text: string): string[] =>
  [...text.matchAll(/^#EXT-X-STREAM-INF:(?:.*?,)?CODECS="([^"]*)"/gm)].flatMap(([, listed = '']) =>
    listed.split(',').map((codec) => codec.trim().slice(0, 4)),
  )

/** The first sample entry of each track of an initialization segment (`stsd`, ISO/IEC 14496-12 §8.5.2). */
export const entriesOfInit = (bytes: ArrayBuffer | ArrayBufferView): string[] =>
  [...new TextDecoder('latin1').decode(bytes).matchAll(/stsd[^]{12}([^]{4})/g)].map(([, entry = '']) => entry)

/** The name of the first codec that the browser can't play, video before audio; null if it can play all known ones. */
export function refusedCodec(entries: readonly string[], isSupported: (type: string) => boolean): string | null {
  const refused = entries
    .flatMap((entry) => codecs[entry.toLowerCase()] ?? [])
    .filter((codec) => !isSupported(mp4With(codec, codec.example)))
  return (refused.find(({ type }) => type === 'video') ?? refused[0])?.name ?? null
}

declare global {
  var ManagedMediaSource: typeof MediaSource | undefined
}

/** Asks MediaSource, or ManagedMediaSource on iPhones; true in a browser without either. */
export const canPlay = (type: string): boolean =>
  (globalThis.ManagedMediaSource ?? globalThis.MediaSource)?.isTypeSupported(type) ?? true
