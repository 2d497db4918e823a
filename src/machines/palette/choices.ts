import type { SearchAnswer } from '../../api/contract/system.ts'
import { pathTo } from '../app/routes.ts'
import { addressOf, searchOf } from '../player/address.ts'
import { momentsInWords } from './moment-words.ts'

export interface PageEntry {
  readonly href: string
  readonly label: string
}

export interface PaletteScope {
  readonly now: number
  readonly zone: string
  /** The stream that the page is about; null elsewhere. */
  readonly stream: { readonly uid: string; readonly name: string } | null
  /** The mosaic that is watched; null elsewhere. */
  readonly mosaic: { readonly id: string; readonly name: string } | null
  /** The query of the address of a player or a mosaic; '' on other pages. */
  readonly search: string
  readonly pages: readonly PageEntry[]
  /** Only administrators can open the pages of users. */
  readonly isAdmin: boolean
}

export type Choice =
  | { readonly kind: 'time'; readonly id: string; readonly href: string; readonly at: number; readonly stream: string }
  | {
      readonly kind: 'stream' | 'mosaic' | 'user' | 'page'
      readonly id: string
      readonly href: string
      readonly label: string
    }

export interface Answered {
  readonly query: string
  readonly found: SearchAnswer
}

const maxPerGroup = 8

/** Lower case, with е for ё. */
const plain = (text: string) => text.toLowerCase().replaceAll('ё', 'е')

/** The choices for a query, in groups: moments, streams, mosaics, users, pages. */
export function choicesFor(query: string, scope: PaletteScope, answered: Answered | null): readonly Choice[] {
  const trimmed = query.trim()
  if (trimmed === '') return []
  return [...momentsFor(trimmed, scope), ...foundFor(trimmed, scope, answered), ...pagesFor(trimmed, scope)]
}

/** Moments of the page's stream, or of all cameras of the watched mosaic. */
function momentsFor(query: string, { now, zone, stream, mosaic, search }: PaletteScope): Choice[] {
  const subject =
    stream !== null
      ? { path: pathTo('streamView', { uid: stream.uid }), name: stream.name }
      : mosaic !== null && { path: pathTo('mosaic', { id: mosaic.id }), name: mosaic.name }
  if (subject === false) return []
  return momentsInWords(query, { now, zone }).map((at) => ({
    kind: 'time',
    id: `time ${at}`,
    href: subject.path + searchOf(search, { ...addressOf(search), at }),
    at,
    stream: subject.name,
  }))
}

/** Until this query is answered, the matching results of the last answer. */
function foundFor(query: string, { isAdmin }: PaletteScope, answered: Answered | null): Choice[] {
  if (answered === null) return []
  const { streams, mosaics, users } = answered.found
  const isMatching = ({ label }: { label: string }) => answered.query === query || plain(label).includes(plain(query))
  const some = <T extends { label: string }>(entries: T[]) => entries.filter(isMatching).slice(0, maxPerGroup)
  return [
    ...some(
      streams.map(({ uid, name }) => ({
        kind: 'stream' as const,
        id: `stream ${uid}`,
        href: pathTo('streamView', { uid }),
        label: name || uid,
      })),
    ),
    ...some(
      mosaics.map(({ id, name }) => ({
        kind: 'mosaic' as const,
        id: `mosaic ${id}`,
        href: pathTo('mosaic', { id }),
        label: name || id,
      })),
    ),
    ...(isAdmin
      ? some(
          users.map(({ name }) => ({
            kind: 'user' as const,
            id: `user ${name}`,
            href: pathTo('userInfo', { login: name }),
            label: name,
          })),
        )
      : []),
  ]
}

function pagesFor(query: string, { pages }: PaletteScope): Choice[] {
  const words = plain(query).split(/\s+/)
  const matching = pages.filter(({ label }) => words.every((word) => plain(label).includes(word)))
  return matching
    .toSorted(
      (one, other) =>
        Number(plain(other.label).startsWith(plain(query))) - Number(plain(one.label).startsWith(plain(query))),
    )
    .slice(0, maxPerGroup)
    .map(({ href, label }) => ({ kind: 'page', id: `page ${href}`, href, label }))
}
