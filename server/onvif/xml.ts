import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { guarded } from '../guarded.ts'

/**
 * An element by its local name. `text` is its own, without that of its children. `namespace`: '' if it isn't declared.
 */
export type Element = {
  name: string
  namespace: string
  text: string
  attributes: ReadonlyMap<string, string>
  children: readonly Element[]
}

type Open = Element & { text: string; children: Element[]; namespaces: ReadonlyMap<string, string> }

const maxDepth = 40
const maxElements = 5000
/** Cameras declare up to a hundred in each envelope. */
const maxNamespaces = 256

/** Devices choose their own prefixes, and some don't declare them. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
const prefixOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf(':')))

/** The namespaces that hold in an element, by prefix: those that its attributes declare, and those of its parent. */
const declared = (
  outer: ReadonlyMap<string, string>,
  attributes: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> => {
  const own = Object.entries(attributes)
    .filter(([key]) => /^xmlns(:|$)/.test(key))
    .slice(0, maxNamespaces + 1)
  return own.length === 0
    ? outer
    : new Map([...outer, ...own.map(([key, value]) => [key.slice('xmlns:'.length), value] as const)])
}

/**
 * Parses a document of a device that may be hostile. Undefined if it isn't well-formed, too deep, too large, or has
 * a document type. Only the five predefined entities are expanded.
 */
export const parseXml = (text: string): Element | undefined => {
  const root: Open = { name: '', namespace: '', text: '', attributes: new Map(), children: [], namespaces: new Map() }
  const open = [root]
  let count = 0
  const parser = new SaxesParser()
  let isRefused = false
  const refuse = guarded('onvif: document type', () => {
    isRefused = true
  })
  parser.on('doctype', refuse)
  const begin = guarded('onvif: element', ({ name, attributes }: SaxesTagPlain) => {
    count += 1
    isRefused ||= count > maxElements || open.length > maxDepth
    if (isRefused) return
    const named = Object.entries(attributes).map(([key, value]) => [localName(key), value] as const)
    const outer = open.at(-1)
    const namespaces = declared(outer?.namespaces ?? root.namespaces, attributes)
    isRefused ||= namespaces.size > maxNamespaces
    const element: Open = {
      name: localName(name),
      namespace: namespaces.get(prefixOf(name)) ?? '',
      text: '',
      attributes: new Map(named),
      children: [],
      namespaces,
    }
    outer?.children.push(element)
    open.push(element)
  })
  parser.on('opentag', begin)
  const append = guarded('onvif: text', (more: string) => {
    const element = open.at(-1)
    if (element !== undefined && !isRefused) element.text += more
  })
  parser.on('text', append)
  parser.on('cdata', append)
  const end = guarded('onvif: end of an element', () => void open.pop())
  parser.on('closetag', end)
  try {
    parser.write(text.trim()).close()
  } catch {
    return undefined
  }
  return isRefused ? undefined : root.children[0]
}

export const childrenOf = (element: Element | undefined, name: string): readonly Element[] =>
  element?.children.filter((child) => child.name === name) ?? []

/** The first element at a path of names below this one. */
export const find = (element: Element | undefined, ...path: readonly string[]): Element | undefined =>
  path.reduce<Element | undefined>((found, name) => found?.children.find((child) => child.name === name), element)

const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const maxTextLength = 200

/** The text of a device as one short line, without control characters. */
export const plainText = (text: string | undefined): string =>
  (text ?? '').slice(0, maxTextLength).toWellFormed().replace(invisible, ' ').trim()

export const textAt = (element: Element | undefined, ...path: readonly string[]): string =>
  plainText(find(element, ...path)?.text)

/** A positive number below 10^9; 0 if there is none. */
export const numberAt = (element: Element | undefined, ...path: readonly string[]): number => {
  const value = Number(find(element, ...path)?.text ?? '')
  return Number.isFinite(value) && value > 0 && value < 1e9 ? value : 0
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as the content of an element, without control characters. */
export const escapeXml = (text: string): string =>
  text.replace(/[^\t\n\r\x20-\u{10ffff}]/gu, '').replace(/[&<>"]/g, (sign) => escapes[sign] ?? '')
