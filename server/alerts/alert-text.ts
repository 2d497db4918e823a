import type { Happening } from './happenings.ts'
import { type HappeningKind, wordsIn } from './alert-words.ts'

const maxListed = 50
const subjectLength = 150

const kindOf = ({ on, isOver }: Happening): HappeningKind => {
  if (on === 'stream.failed') return 'failed'
  if (on === 'stream.recovered') return 'recovered'
  if (on === 'event') return 'event'
  if (on === 'node.lost') return isOver === true ? 'found' : 'lost'
  return isOver === true ? 'freed' : 'full'
}

/** Names may have line breaks; here they take one line. */
const oneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ')

type Words = ReturnType<typeof wordsIn>

const nameOf = ({ on, streamName = '', nodeName = '', label = '' }: Happening, words: Words): string => {
  if (on === 'node.lost' || on === 'disk.full') return oneLine(nodeName)
  if (on !== 'event') return oneLine(streamName)
  const what = label === '' ? words.event : (words.labels.get(label) ?? label)
  return oneLine([what, streamName].filter((part) => part !== '').join(': '))
}

const headingOf = (happening: Happening, words: Words): string => {
  const heading = words.one[kindOf(happening)](nameOf(happening, words))
  return happening.volume === undefined ? heading : `${heading}: ${oneLine(happening.volume)}`
}

const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
/** `2026-11-21 03:00:12`. */
const clock = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone })

type Report = { alert: string; total: number; happenings: readonly Happening[] }

/**
 * Subject and text of a message, with a line for each happening. Without happenings it is a test. `link`: to the
 * console; empty without one.
 */
export const alertTextOf = (
  { alert, total, happenings }: Report,
  { title, language, link = '' }: { title: string; language: string; link?: string },
): { subject: string; text: string } => {
  const words = wordsIn(language)
  const sentBy = words.sentBy(oneLine(alert))
  const linked = link === '' ? [] : [link, '']
  if (happenings.length === 0)
    return { subject: `${title}: ${words.test.subject}`, text: [words.test.text, '', ...linked, sentBy, ''].join('\n') }
  const kinds = Map.groupBy(happenings, kindOf)
  const unlisted = total - happenings.length
  const headings = [...kinds].map(([kind, some]) => {
    const [first] = some
    const count = some.length + (kinds.size === 1 ? unlisted : 0)
    return first !== undefined && count === 1 ? headingOf(first, words) : words.many[kind](count)
  })
  if (kinds.size > 1 && unlisted > 0) headings.push(words.more(unlisted))
  const lines = happenings.slice(0, maxListed).map((each) => {
    const { time, reason = '', count = 1 } = each
    const why = oneLine(words.reasons[reason] ?? reason)
    const details = [...(why === '' ? [] : [why]), ...(count > 1 ? [words.times(count)] : [])]
    return `${clock.format(time)}  ${headingOf(each, words)}${details.length === 0 ? '' : ` (${details.join('; ')})`}`
  })
  const left = total - lines.length
  return {
    subject: `${title}: ${headings.join(', ')}`.slice(0, subjectLength),
    text: [...lines, ...(left > 0 ? [words.more(left)] : []), '', ...linked, words.zone(zone), sentBy, ''].join('\n'),
  }
}
