import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { guarded } from '../guarded.ts'

/** An element by its local name. `text` is its own, without that of its children. */
export type Element = {
  name: string
  text: string
  attributes: ReadonlyMap<string, string>
  children: readonly Element[]
}

type Open = { name: string; text: string; attributes: Map<string, string>; children: Element[] }

const maxDepth = 40
const maxElements = 5000

/** Devices choose their own prefixes, and some don't declare them. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Parses a document of a device that may be hostile. Undefined if it isn't well-formed, too deep, too large, or has
 * a document type. Only the five predefined entities are expanded.
 */
export const parseXml = (text: string): Element | undefined => {
  const root: Open = { name: '', text: '', attributes: new Map(), children: [] }
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
    const element: Open = { name: localName(name), text: '', attributes: new Map(named), children: [] }
    open.at(-1)?.children.push(element)
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

/** Text as the content of an element. */
export const escapeXml = (text: string): string =>
  text.replace(/[^\t\n\r\x20-\u{10ffff}]/gu, '').replace(/[&<>"]/g, (sign) => escapes[sign] ?? '')
