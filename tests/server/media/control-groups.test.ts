import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { divideGroup, joinGroup } from '../../../server/media/control-groups.ts'
import { newFolder } from '../fixtures/tape.ts'

const service = '/system.slice/sightline.service'

/** A folder that stands for the file system of control groups. */
const groupsOf = (path: string) => {
  const root = newFolder()
  const self = join(root, 'self')
  mkdirSync(join(root, path), { recursive: true })
  writeFileSync(join(root, path, 'cgroup.subtree_control'), '')
  writeFileSync(self, `12:cpu:/elsewhere\n0::${path}\n`)
  return { root, self, own: join(root, path), isRoot: false }
}

test('the group of the service is divided, and the server moves to a part of it', () => {
  const { own, ...given } = groupsOf(service)
  const groups = divideGroup(given)
  expect(groups).toEqual({ cameras: join(own, 'cameras'), work: join(own, 'work') })
  const read = (file: string) => readFileSync(join(own, file), 'utf8')
  expect(read('server/cgroup.procs')).toBe(String(process.pid))
  expect(['server', 'cameras', 'work'].map((name) => read(`${name}/cpu.weight`))).toEqual(['100', '100', '25'])
  expect(joinGroup(groups?.work ?? '', 1234)).toBe(true)
  expect(read('work/cgroup.procs')).toBe('1234')
  expect(joinGroup(join(own, 'gone'), 1234)).toBe(false)
})

test.each([
  ['not a service’s', '/user.slice/session-1.scope', { isRoot: false }],
  ['root’s', service, { isRoot: true }],
  ['that of a container', '/', { isRoot: false }],
])('a group that is %s stays as it is', (_name, path, change) => {
  const { own, ...given } = groupsOf(path)
  expect(divideGroup({ ...given, ...change })).toBe(undefined)
  expect(existsSync(join(own, 'server'))).toBe(false)
})

test('a group that was not delegated stays as it is', () => {
  const { own, self, root } = groupsOf(service)
  writeFileSync(self, `0::/system.slice/other.service\n`)
  expect(divideGroup({ root, self, isRoot: false })).toBe(undefined)
  expect(divideGroup({ root, self: join(root, 'none'), isRoot: false })).toBe(undefined)
  expect(existsSync(join(own, 'server'))).toBe(false)
})
