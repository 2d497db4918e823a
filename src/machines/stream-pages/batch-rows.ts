import type { Settings } from '../../api/contract/settings.ts'
import type { FieldErrors } from '../form/form.events.ts'
import type { Credentials } from './source-credentials.ts'
import { newStreamValues, type StreamValues, validateStream } from './stream-values.ts'

export interface BatchRow {
  line: number
  values: StreamValues
  errors: FieldErrors
}

export const maxRows = 1000

type Column =
  | 'name'
  | 'streamSource'
  | 'substreamSource'
  | 'login'
  | 'password'
  | 'tags'
  | 'location'
  | 'onvif'
  | 'profile'

const defaultColumns: readonly Column[] = ['name', 'streamSource', 'tags', 'location']

/** In both languages of the console, as the list may come from another user. */
const headings: Readonly<Record<string, Column>> = {
  name: 'name',
  title: 'name',
  camera: 'name',
  source: 'streamSource',
  streamsource: 'streamSource',
  url: 'streamSource',
  address: 'streamSource',
  streamurl: 'streamSource',
  substream: 'substreamSource',
  substreamsource: 'substreamSource',
  substreamurl: 'substreamSource',
  login: 'login',
  user: 'login',
  username: 'login',
  password: 'password',
  tags: 'tags',
  tag: 'tags',
  location: 'location',
  place: 'location',
  onvif: 'onvif',
  onvifaddress: 'onvif',
  profile: 'profile',
  название: 'name',
  имя: 'name',
  камера: 'name',
  источник: 'streamSource',
  адрес: 'streamSource',
  ссылка: 'streamSource',
  адреспотока: 'streamSource',
  доппоток: 'substreamSource',
  дополнительныйпоток: 'substreamSource',
  адресдополнительногопотока: 'substreamSource',
  логин: 'login',
  пользователь: 'login',
  пароль: 'password',
  теги: 'tags',
  тег: 'tags',
  место: 'location',
  расположение: 'location',
  адресonvif: 'onvif',
  профильonvif: 'profile',
}

/** Login and password of found cameras, by the URL of their source, as the list doesn't show them. */
export type KeptCredentials = Readonly<Record<string, Credentials>>

/**
 * Reads a list of streams, one per line: name, source, tags and location, or the columns named by a heading line.
 * Columns are separated by commas, semicolons or tabs, and may be quoted; tags are separated by `|` or spaces. Blank
 * lines are ignored, and those after the first `most`.
 */
export function readRows(
  text: string,
  settings: Settings,
  kept: KeptCredentials = {},
  most = maxRows,
): readonly BatchRow[] {
  const separator = separatorOf(text)
  const lines = cellsOf(text, separator).filter(({ cells }) => cells.some((cell) => cell !== ''))
  const named = lines[0]?.cells.map((cell) => headings[cell.toLowerCase().replaceAll(/[\s._-]/g, '')])
  const hasHeadings = named?.includes('streamSource') === true
  const columns = hasHeadings ? named : defaultColumns
  const blank = newStreamValues(settings)
  return lines.slice(hasHeadings ? 1 : 0, most + (hasHeadings ? 1 : 0)).map(({ line, cells }) => {
    const cell = (column: Column) => cells[columns.indexOf(column)] ?? ''
    const typed = { login: cell('login'), password: cell('password') }
    const streamSource = cell('streamSource')
    const values: StreamValues = {
      ...blank,
      name: cell('name'),
      streamSource,
      substreamSource: cell('substreamSource'),
      ...(typed.login === '' && typed.password === '' && Object.hasOwn(kept, streamSource)
        ? kept[streamSource]
        : typed),
      tags: [
        ...new Set(
          cell('tags')
            .split(/[|\s]+/)
            .filter((tag) => tag !== ''),
        ),
      ],
      'location.name': cell('location'),
      'onvif.url': cell('onvif'),
      'onvif.profile': cell('profile'),
    }
    return { line, values, errors: validateStream(values, blank, settings) }
  })
}

const writtenColumns: readonly { column: Column; cell: (values: StreamValues) => string }[] = [
  { column: 'name', cell: ({ name }) => name },
  { column: 'streamSource', cell: ({ streamSource }) => streamSource },
  { column: 'substreamSource', cell: ({ substreamSource }) => substreamSource },
  { column: 'login', cell: ({ login }) => login },
  { column: 'password', cell: ({ password }) => password },
  { column: 'tags', cell: ({ tags }) => tags.join('|') },
  { column: 'location', cell: (values) => values['location.name'] },
  { column: 'onvif', cell: (values) => values['onvif.url'] },
  { column: 'profile', cell: (values) => values['onvif.profile'] },
]

const quoted = (cell: string) => (/[",\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A list of streams as text, without empty columns. */
export function textOf(rows: readonly StreamValues[]): string {
  const columns = writtenColumns.filter(({ cell }) => rows.some((values) => cell(values) !== ''))
  return [
    columns.map(({ column }) => column).join(','),
    ...rows.map((values) => columns.map(({ cell }) => quoted(cell(values))).join(',')),
  ].join('\n')
}

function separatorOf(text: string): string {
  const first = text.split('\n').find((line) => line.trim() !== '') ?? ''
  const bare = first.replaceAll(/"[^"]*"/g, '')
  const possible = ['\t', ';', ','].filter((separator) => bare.includes(separator))
  // An address may contain one of the others.
  const separatesAddress = (separator: string) =>
    bare.split(separator).some((cell) => /^\s*[a-z][a-z\d+.-]*:\/\//i.test(cell))
  return possible.find(separatesAddress) ?? possible[0] ?? ','
}

/**
 * Lines of cells by RFC 4180: a quoted cell may contain the separator, line ends and doubled quotes, and keeps its
 * spaces, as a password may begin or end with one.
 */
function cellsOf(text: string, separator: string): { line: number; cells: string[] }[] {
  const lines: { line: number; cells: string[] }[] = []
  let cells: string[] = []
  let cell = ''
  let line = 1
  let start = 1
  let isQuoted = false
  let wasQuoted = false
  const endCell = () => {
    cells.push(wasQuoted ? cell : cell.trim())
    cell = ''
    wasQuoted = false
  }
  const endLine = () => {
    endCell()
    lines.push({ line: start, cells })
    cells = []
    start = line
  }
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at] ?? ''
    if (character === '\n') line += 1
    if (character === '"' && isQuoted && source[at + 1] === '"') {
      cell += '"'
      at += 1
    } else if (character === '"' && (isQuoted || cell.trim() === '')) {
      isQuoted = !isQuoted
      if (isQuoted) cell = ''
      wasQuoted = true
    } else if (!isQuoted && character === separator) endCell()
    else if (!isQuoted && character === '\n') endLine()
    else if (isQuoted || !wasQuoted || character.trim() !== '') cell += character
  }
  if (cell !== '' || cells.length > 0) endLine()
  return lines
}
