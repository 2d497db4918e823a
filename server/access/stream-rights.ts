import { bit } from '../store/store.ts'
import type { SharedRange } from './shares.ts'

/**
 * `range`: what a share shows of the archive. `canDownload` is false where the archive may be watched, but not
 * downloaded, and absent otherwise, as in answers (docs/wire.md §6.9).
 */
export type StreamRights = {
  canView: boolean
  canViewArchive: boolean
  canAdmin: boolean
  canDownload?: boolean | undefined
  range?: SharedRange
}

/**
 * `see`: know of the stream by any right to it. `view`: live. `viewRange`: the archive, or as much of it as is shared:
 * what a handler answers must be limited by `sharedPart` (share-range.ts). `viewArchive`: all of the archive.
 * `downloadRange` and `downloadArchive`: the same as files.
 */
export type StreamAction = 'see' | 'view' | 'viewRange' | 'viewArchive' | 'downloadRange' | 'downloadArchive' | 'admin'

export const mayDownload = (rights: StreamRights | undefined): boolean =>
  rights?.canViewArchive === true && rights.canDownload !== false

export const allows = (rights: StreamRights, to: StreamAction): boolean => {
  const { canView, canViewArchive, canAdmin, range } = rights
  if (to === 'see') return true
  if (to === 'view') return canView
  if (to === 'viewRange') return canViewArchive || range !== undefined
  if (to === 'viewArchive') return canViewArchive
  if (to === 'downloadRange') return mayDownload(rights) || range !== undefined
  return to === 'downloadArchive' ? mayDownload(rights) : canAdmin
}

export const isOfArchive = (to: StreamAction): boolean => to !== 'see' && to !== 'view' && to !== 'admin'

/** The rights in a row of the database. */
export const rightFields = { canView: bit, canViewArchive: bit, canAdmin: bit, canDownload: bit }

/** The rights of a row of the database. */
export const rightsOfRow = <Row extends { canViewArchive: boolean; canDownload: boolean }>({
  canDownload,
  ...rights
}: Row) => (rights.canViewArchive && !canDownload ? { ...rights, canDownload } : rights)

/**
 * The columns of a grant: live, archive, administration and downloads. Adds the rights that each right includes:
 * archive, downloads and live for `canAdmin`, live for `canViewArchive`.
 */
export const columnsOf = ({ canView, canViewArchive, canAdmin, canDownload }: StreamRights): number[] => {
  const hasArchive = canViewArchive || canAdmin
  return [canView || hasArchive, hasArchive, canAdmin, canDownload !== false || canAdmin || !hasArchive].map(Number)
}
