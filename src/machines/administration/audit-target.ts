import { pathTo } from '../app/routes.ts'

const moments: ReadonlySet<string> = new Set(['archive', 'stream', 'bookmark', 'event'])

interface Entry {
  action: string
  target: string
  name?: string
  time?: number | undefined
}

/**
 * Where an entry of the audit log leads: to the moment that was watched, or to what it is about; null where that is
 * nowhere. Of the archive a target is `uid from/to` or `uid time`; of live it is the uid, watched when the entry was
 * written. A user who was renamed since is found by `name`.
 */
export function pathOf({ action, target, name = '', time }: Entry): string | null {
  const [thing = '', verb = ''] = action.split('.')
  const [id = '', range = ''] = target.split(' ')
  if (id === '' || verb === 'delete') return null
  if (thing === 'user') return pathTo('userInfo', { login: name || id })
  if (thing === 'mosaic') return pathTo('mosaic', { id })
  if (thing === 'node') return pathTo('cluster')
  if (!moments.has(thing) || (['bookmark', 'event'].includes(thing) && verb !== 'create')) return null
  const at = Date.parse(range.split('/')[0] ?? '')
  const moment = Number.isNaN(at) && verb === 'view' ? time : at
  if (moment !== undefined && !Number.isNaN(moment)) {
    const query = new URLSearchParams({ at: new Date(moment).toISOString() })
    return `${pathTo('streamView', { uid: id })}?${query.toString()}`
  }
  return pathTo('streamInfo', { uid: id })
}
