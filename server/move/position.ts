import * as z from 'zod/mini'
import type { TableRow, Kind, Table } from '../store/exclusive-database.ts'
import type { Value } from '../store/connection.ts'

const Texts = z.array(z.string())

const textOf = (value: Value): string => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : `${value}`)

const valueOf = (text: string, kind: Kind): Value => {
  if (kind === 'integer') return BigInt(text)
  if (kind === 'real') return Number(text)
  return kind === 'blob' ? Buffer.from(text, 'hex') : text
}

/** The key of a row. */
export const keyOf = ({ columns, key }: Table, row: TableRow): TableRow =>
  key.map((part) => row[columns.findIndex(({ name }) => name === part.name)] ?? null)

/** A key as JSON, which escapes NUL characters. */
export const positionOf = (key: TableRow): string => JSON.stringify(key.map(textOf))

/** Parses a position; undefined for the empty text, which stands for the position before the first row. */
export const keyAt = ({ key }: Table, position: string): TableRow | undefined => {
  if (position === '') return undefined
  const texts = z.parse(Texts, JSON.parse(position))
  return key.map(({ kind }, index) => valueOf(texts[index] ?? '', kind))
}
