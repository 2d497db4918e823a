import { type Listing, streamAt } from '../streams/listing.ts'
import { type Permission, grantedOnly, permissionOf } from './permissions.ts'

/** The rows of the page: as many as there are, each found when it is drawn. */
export interface PermissionRows {
  readonly count: number
  /** Undefined while its page is loading. */
  at(index: number): Permission | undefined
}

interface Shown {
  permissions: readonly Permission[]
  listing: Listing | null
  searched: string
  isGrantedOnly: boolean
}

/** The streams that the server found, each with what is granted; or those of the list of permissions alone. */
export function rowsOf({ permissions, listing, searched, isGrantedOnly }: Shown): PermissionRows {
  if (isGrantedOnly) {
    const granted = grantedOnly(permissions, searched)
    return { count: granted.length, at: (index) => granted[index] }
  }
  const listed = new Map(permissions.map((permission) => [permission.uid, permission]))
  return {
    count: listing?.total ?? 0,
    at(index) {
      const stream = listing === null ? undefined : streamAt(listing, index)
      return stream === undefined ? undefined : permissionOf(listed, stream)
    },
  }
}
