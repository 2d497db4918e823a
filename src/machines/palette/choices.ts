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
  /** The query of the address of what has an archive; empty on other pages. */
  readonly search: string
  readonly pages: readonly PageEntry[]
  /** Users have pages for administrators alone. */
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

const most = 8

const plain = (text: string) => text.toLowerCase().replaceAll('ё', 'е')

/** What a query offers, group by group: moments of the stream, streams, mosaics, users, pages. */
export function choicesFor(query: string, scope: PaletteScope, answered: Answered | null): readonly Choice[] {
  const asked = query.trim()
  if (asked === '') return []
  return [...momentsFor(asked, scope), ...foundFor(asked, scope, answered), ...pagesFor(asked, scope)]
}

/** Of the stream that the page is about, or of all cameras of the mosaic. */
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

/** Until the answer to this query comes, what fits of the one before. */
function foundFor(query: string, { isAdmin }: PaletteScope, answered: Answered | null): Choice[] {
  if (answered === null) return []
  const { streams, mosaics, users } = answered.found
  const isFitting = ({ label }: { label: string }) => answered.query === query || plain(label).includes(plain(query))
  const some = <T extends { label: string }>(entries: T[]) => entries.filter(isFitting).slice(0, most)
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
  const fitting = pages.filter(({ label }) => words.every((word) => plain(label).includes(word)))
  return fitting
    .toSorted(
      (one, other) =>
        Number(plain(other.label).startsWith(plain(query))) - Number(plain(one.label).startsWith(plain(query))),
    )
    .slice(0, most)
    .map(({ href, label }) => ({ kind: 'page', id: `page ${href}`, href, label }))
}
