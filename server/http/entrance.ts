import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import { documentBelow } from './base-path.ts'
import { perBuild } from './per-build.ts'

/** What the sign-in page shows of a deployment. */
export interface EntranceFacts {
  title: string
  defaultLanguage: string
  hasPasskeys: boolean
  canReset: boolean
}

/** The sign-in page as a build renders it, by language and by what is offered (scripts/entrance-plugin.ts). */
const Rendered = z.object({
  script: z.string(),
  title: z.string(),
  pages: z.record(z.string(), z.record(z.string(), z.string())),
})
type Rendered = z.output<typeof Rendered>

interface Build {
  index: string
  rendered: Rendered
}

/** Paths below /ui/ that lead a visitor without a session to the sign-in page. */
const ledToSignIn = /^(?:auth|streams|mosaics|mosaic\/[\w-]+|events|bookmarks)?\/?$/

export const isLedToSignIn = (path: string): boolean => ledToSignIn.test(path)

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => entities[one] ?? one)

/** The console's own script, which waits for the first paint then. */
export const entryScript = /<script type="module" crossorigin src="([^"]+)"><\/script>/

/** The document with the sign-in page; null if the build has none. */
function documentOf({ index, rendered }: Build, basePath: string, facts: EntranceFacts): string | null {
  const { script, title, pages } = rendered
  const offered = [facts.hasPasskeys && 'passkeys', facts.canReset && 'reset'].filter(Boolean).join(' ')
  const entry = entryScript.exec(index)?.[1]
  if (entry === undefined) return null
  const templates = Object.entries(pages).map(([language, variants]) => {
    const page = (variants[offered] ?? '').replaceAll(title, () => escaped(facts.title))
    return `<template lang="${escaped(language)}">${page}</template>`
  })
  const given = `data-entry="${basePath}${entry}" data-language="${escaped(facts.defaultLanguage)}"`
  const document = index
    .replace(entryScript, () => `<link rel="modulepreload" crossorigin href="${entry}">`)
    .replace('<head>', () => `<head><script src="${script}" ${given}></script>`)
    .replace('<div id="root"></div>', (root) => templates.join('') + root)
  return documentBelow(basePath, document)
}

const namedFile = /(?:src|href)="\/ui\/(assets\/[^"]+)"/g

/** Undefined if the build has no sign-in page, or lacks a file of it: a build writes one after another. */
function read(distDir: string): Build | undefined {
  try {
    const rendered = z.parse(Rendered, JSON.parse(readFileSync(join(distDir, '.vite/entrance.json'), 'utf8')))
    const index = readFileSync(join(distDir, 'index.html'), 'utf8')
    const named = [...index.matchAll(namedFile)].map(([, file = '']) => file)
    const files = [...named, rendered.script.replace('/ui/', '')]
    const isWhole = index.includes('</html>') && files.every((file) => existsSync(join(distDir, file)))
    return isWhole ? { index, rendered } : undefined
  } catch {
    return undefined
  }
}

/** `zipped`: compressed by gzip. */
export interface EntranceDocument {
  plain: string
  zipped: Buffer
}

/** Makes the document that shows the sign-in page at once. Reads the build again after each build. */
export function createEntrance(distDir: string, basePath: string): (facts: EntranceFacts) => EntranceDocument | null {
  const buildOf = perBuild(join(distDir, 'index.html'), () => read(distDir))
  const known = { build: null as Build | null, facts: '', document: null as EntranceDocument | null }
  return (facts) => {
    const build = buildOf() ?? null
    const key = JSON.stringify(facts)
    if (build !== known.build || key !== known.facts) {
      const plain = build === null ? null : documentOf(build, basePath, facts)
      const document = plain === null ? null : { plain, zipped: gzipSync(plain) }
      Object.assign(known, { build, facts: key, document })
    }
    return known.document
  }
}
