/** What an entry is about, and which moment or range of its archive (epoch milliseconds). */
export type Target = { id: string; from?: number; to?: number }

const maxIdLength = 300
const iso = (moment: number): string => new Date(moment).toISOString()

/** `ID FROM/TO`, `ID FROM` or `ID`, with the times in ISO 8601. */
export const targetText = (target: Target | undefined): string => {
  if (target === undefined) return ''
  const { id, from, to } = target
  const range = from === undefined ? '' : ` ${iso(from)}${to === undefined ? '' : `/${iso(to)}`}`
  return `${id.slice(0, maxIdLength)}${range}`
}

/** The first target, with a range that covers both. */
export const covering = (one: Target | undefined, other: Target | undefined): Target | undefined => {
  if (one?.from === undefined || other?.from === undefined) return one
  const [from, to] = [Math.min(one.from, other.from), Math.max(one.to ?? one.from, other.to ?? other.from)]
  return from === to ? one : { id: one.id, from, to }
}

const maxShown = 100
const invisible = /[\p{C}\p{Zl}\p{Zp}]/gu

/** A caller's text as one short line. Characters that are invisible or reorder text become `\u{…}`. */
export const printable = (text: string): string => {
  const begun = text.slice(0, maxShown * 2).toWellFormed()
  const escaped = begun.replace(invisible, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)
  const signs = [...escaped]
  return signs.length > maxShown || text.length > begun.length ? `${signs.slice(0, maxShown).join('')}…` : escaped
}
