import type { SearchAnswer } from '../../api/contract/system.ts'
import { pathTo } from '../app/routes.ts'
import { addressOf, searchOf } from '../player/address.ts'
import { parseMoments } from './parse-moments.ts'

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
  /** `subject`: the name of the stream, or of the mosaic, to seek in. */
  | { readonly kind: 'time'; readonly id: string; readonly href: string; readonly at: number; readonly subject: string }
  | {
      readonly kind: 'stream' | 'mosaic' | 'user' | 'page'
      readonly id: string
      readonly href: string
      readonly label: string
    }

/** The server's last answer, with the query that it answers. */
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

/** Moments in the archive of the page's stream, or of the mosaic, whose cameras all seek to it. */
function momentsFor(query: string, { now, zone, stream, mosaic, search }: PaletteScope): Choice[] {
  const subject =
    stream !== null
      ? { path: pathTo('streamView', { uid: stream.uid }), name: stream.name }
      : mosaic !== null && { path: pathTo('mosaic', { id: mosaic.id }), name: mosaic.name }
  if (subject === false) return []
  return parseMoments(query, { now, zone }).map((at) => ({
    kind: 'time',
    id: `time ${at}`,
    href: subject.path + searchOf(search, { ...addressOf(search), at }),
    at,
    subject: subject.name,
  }))
}

/** The server's results; until this query is answered, those of the last answer that match it. */
function foundFor(query: string, { isAdmin }: PaletteScope, answered: Answered | null): Choice[] {
  if (answered === null) return []
  const { streams, mosaics, users } = answered.found
  const isMatching = ({ label }: { label: string }) => answered.query === query || plain(label).includes(plain(query))
  const shown = <T extends { label: string }>(entries: T[]) => entries.filter(isMatching).slice(0, maxPerGroup)
  return [
    ...shown(
      streams.map(({ uid, name }) => ({
        kind: 'stream' as const,
        id: `stream ${uid}`,
        href: pathTo('streamView', { uid }),
        label: name || uid,
      })),
    ),
    ...shown(
      mosaics.map(({ id, name }) => ({
        kind: 'mosaic' as const,
        id: `mosaic ${id}`,
        href: pathTo('mosaic', { id }),
        label: name || id,
      })),
    ),
    ...(isAdmin
      ? shown(
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

/** The pages whose name contains every word of the query; first those whose name begins with the query. */
function pagesFor(query: string, { pages }: PaletteScope): Choice[] {
  const words = plain(query).split(/\s+/)
  const startsWithQuery = ({ label }: PageEntry) => plain(label).startsWith(plain(query))
  return pages
    .filter(({ label }) => words.every((word) => plain(label).includes(word)))
    .toSorted((one, other) => Number(startsWithQuery(other)) - Number(startsWithQuery(one)))
    .slice(0, maxPerGroup)
    .map(({ href, label }) => ({ kind: 'page', id: `page ${href}`, href, label }))
}
