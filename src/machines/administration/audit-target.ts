import { pathTo } from '../app/routes.ts'

const playerActions: ReadonlySet<string> = new Set(['archive', 'stream', 'bookmark', 'event'])

interface Entry {
  action: string
  target: string
  name?: string
  time?: number | undefined
}

/**
 * The href of the page that an audit entry is about, of the player at the moment that was watched if it is a viewing;
 * null if there is no such page. The target of an archive entry is `uid from/to` or `uid time`. That of a live entry is
 * the uid alone, and the moment is the entry's `time`. `name` is the present login of a user who was renamed.
 */
export function pathOf({ action, target, name = '', time }: Entry): string | null {
  const [kind = '', verb = ''] = action.split('.')
  const [id = '', range = ''] = target.split(' ')
  if (id === '' || verb === 'delete') return null
  if (kind === 'user') return pathTo('userInfo', { login: name || id })
  if (kind === 'mosaic') return pathTo('mosaic', { id })
  if (kind === 'group') return pathTo('group', { id })
  if (kind === 'node') return pathTo('cluster')
  if (!playerActions.has(kind) || (['bookmark', 'event'].includes(kind) && verb !== 'create')) return null
  const at = Date.parse(range.split('/')[0] ?? '')
  const moment = Number.isNaN(at) && verb === 'view' ? time : at
  if (moment !== undefined && !Number.isNaN(moment)) {
    const query = new URLSearchParams({ at: new Date(moment).toISOString() })
    return `${pathTo('streamView', { uid: id })}?${query.toString()}`
  }
  return pathTo('streamInfo', { uid: id })
}
