import type { Dice } from '../values.ts'
import { leadingAway, type World } from './world.ts'

const oddNames = [
  'file:///etc/passwd',
  'file:/etc/passwd',
  '/etc/passwd',
  '../../etc/passwd',
  'data:video/mp2t;base64,R0AR',
  'data:,x',
  'pipe:0',
  'fd:0',
  'concat:/etc/passwd|/etc/hosts',
  'unix:/run/x',
  'http://',
  'http:///x',
  'http://[',
  '://',
  '?',
  '#',
  '%00',
  ' x.ts',
  'x.ts#y',
  'a'.repeat(5000),
  '',
  '\u0000',
  '\u2028',
  'x y.ts',
  'x.ts?a=b&c=%zz',
] as const

const uri = (world: World, dice: Dice): string => {
  if (dice.onceIn(3)) return leadingAway(world, dice)
  if (dice.onceIn(4)) return dice.pick(oddNames)
  return dice.pick(['x.ts', `${world.own}/x.ts`, '/x.m4s', 'x.m3u8', 'redirect', 'x.mp4'])
}

const number = (dice: Dice): string =>
  dice.pick([
    '0',
    '1',
    '2',
    '6',
    '2.5',
    '-1',
    '1e9',
    '99999999999999999999',
    'NaN',
    '',
    '0x10',
    '1.7976931348623157e309',
  ])
const quoted = (text: string, dice: Dice): string => (dice.onceIn(10) ? text : `"${text}"`)

type Tag = (world: World, dice: Dice) => string

/** Every tag of rfc8216bis, and some that only ffmpeg or nothing knows. */
const tags: readonly [Tag, ...Tag[]] = [
  (world, dice) => `#EXTINF:${number(dice)},${dice.pick(['', 'title'])}\n${uri(world, dice)}`,
  (world, dice) => `#EXTINF:${number(dice)},\n${uri(world, dice)}`,
  (world, dice) => `#EXT-X-BYTERANGE:${number(dice)}@${number(dice)}\n#EXTINF:2,\n${uri(world, dice)}`,
  (world, dice) =>
    `#EXT-X-KEY:METHOD=${dice.pick(['AES-128', 'SAMPLE-AES', 'NONE', 'X'])},` +
    `URI=${quoted(uri(world, dice), dice)},IV=0x${'f'.repeat(dice.below(40))}`,
  (world, dice) => `#EXT-X-SESSION-KEY:METHOD=AES-128,URI=${quoted(uri(world, dice), dice)}`,
  (world, dice) =>
    `#EXT-X-MAP:URI=${quoted(uri(world, dice), dice)}` +
    `${dice.onceIn(2) ? `,BYTERANGE="${number(dice)}@${number(dice)}"` : ''}`,
  (world, dice) =>
    `#EXT-X-STREAM-INF:BANDWIDTH=${number(dice)},RESOLUTION=${number(dice)}x${number(dice)},` +
    `CODECS="avc1.${'4'.repeat(dice.below(9))}"\n${uri(world, dice)}`,
  (world, dice) => `#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=${quoted(uri(world, dice), dice)}`,
  (world, dice) =>
    `#EXT-X-MEDIA:TYPE=${dice.pick(['AUDIO', 'VIDEO', 'SUBTITLES', 'X'])},GROUP-ID="a",` +
    `NAME="${'n'.repeat(dice.below(300))}",DEFAULT=YES,URI=${quoted(uri(world, dice), dice)}`,
  (world, dice) => `#EXT-X-PART:DURATION=${number(dice)},URI=${quoted(uri(world, dice), dice)}`,
  (world, dice) => `#EXT-X-PRELOAD-HINT:TYPE=PART,URI=${quoted(uri(world, dice), dice)}`,
  (world, dice) => `#EXT-X-RENDITION-REPORT:URI=${quoted(uri(world, dice), dice)},LAST-MSN=${number(dice)}`,
  (world, dice) => `#EXT-X-SESSION-DATA:DATA-ID="x",URI=${quoted(uri(world, dice), dice)}`,
  (world, dice) => `#EXT-X-CONTENT-STEERING:SERVER-URI=${quoted(uri(world, dice), dice)}`,
  (world, dice) =>
    `#EXT-X-DATERANGE:ID="x",START-DATE="2026-11-21T08:00:00Z",X-ASSET-URI=${quoted(uri(world, dice), dice)}`,
  (_, dice) => `#EXT-X-TARGETDURATION:${number(dice)}`,
  (_, dice) => `#EXT-X-MEDIA-SEQUENCE:${number(dice)}`,
  (_, dice) => `#EXT-X-DISCONTINUITY-SEQUENCE:${number(dice)}`,
  (_, dice) => `#EXT-X-PROGRAM-DATE-TIME:${dice.pick(['2026-11-21T08:00:00Z', 'x', '', '9999-99-99T99:99:99Z'])}`,
  (_, dice) => `#EXT-X-PLAYLIST-TYPE:${dice.pick(['VOD', 'EVENT', 'X'])}`,
  (_, dice) => `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=${number(dice)}`,
  (_, dice) => `#EXT-X-SKIP:SKIPPED-SEGMENTS=${number(dice)}`,
  (_, dice) => `#EXT-X-DEFINE:NAME="a",VALUE="${'{$a}'.repeat(dice.below(20))}"`,
  (_, dice) => `#EXT-X-VERSION:${number(dice)}`,
  () => '#EXT-X-DISCONTINUITY',
  () => '#EXT-X-GAP',
  () => '#EXT-X-INDEPENDENT-SEGMENTS',
  () => '#EXT-X-ENDLIST',
  () => '#EXT-X-NONE:x',
  () => '# a comment',
  () => '',
]

/** A playlist of random tags; usually a complete one, so that it isn't reloaded. */
export const playlistOf = (world: World, dice: Dice): string => {
  const lines = ['#EXTM3U', `#EXT-X-TARGETDURATION:${dice.onceIn(5) ? number(dice) : '1'}`]
  const count = 1 + dice.below(6)
  for (let turn = 0; turn < count; turn += 1) lines.push(dice.pick(tags)(world, dice))
  if (!dice.onceIn(12)) lines.push('#EXT-X-ENDLIST')
  return lines.join(dice.pick(['\n', '\n', '\n', '\r\n', '\r', '\n\n'])) + dice.pick(['\n', ''])
}
