/** The object of an entry, with a moment or range of its archive (epoch milliseconds). */
export type Target = { id: string; from?: number; to?: number }

const longest = 300
const iso = (moment: number): string => new Date(moment).toISOString()

/** `uid from/to`, `uid time`, or the id alone. */
export const targetText = (target: Target | undefined): string => {
  if (target === undefined) return ''
  const { id, from, to } = target
  const range = from === undefined ? '' : ` ${iso(from)}${to === undefined ? '' : `/${iso(to)}`}`
  return `${id.slice(0, longest)}${range}`
}

export const covering = (one: Target | undefined, other: Target | undefined): Target | undefined => {
  if (one?.from === undefined || other?.from === undefined) return one
  const [from, to] = [Math.min(one.from, other.from), Math.max(one.to ?? one.from, other.to ?? other.from)]
  return from === to ? one : { id: one.id, from, to }
}

const shown = 100
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu

/** Text of a caller as one short line; invisible characters, and those that reorder text, become `\u{…}`. */
export const plain = (text: string): string => {
  const begun = text.slice(0, shown * 2).toWellFormed()
  const escaped = begun.replace(unseen, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)
  const signs = [...escaped]
  return signs.length > shown || text.length > begun.length ? `${signs.slice(0, shown).join('')}…` : escaped
}
