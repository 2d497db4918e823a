import { type Listing, streamAt } from '../streams/listing.ts'
import { type Permission, grantedOnly, permissionOf } from './permissions.ts'

/** The rows of the list; each is looked up when it is rendered. */
export interface PermissionRows {
  readonly count: number
  /** Undefined until its page is loaded. */
  at(index: number): Permission | undefined
}

interface Shown {
  permissions: readonly Permission[]
  listing: Listing | null
  searched: string
  isGrantedOnly: boolean
}

/** The streams found by the server with the user's permissions, or only those with a permission. */
export function rowsOf({ permissions, listing, searched, isGrantedOnly }: Shown): PermissionRows {
  if (isGrantedOnly) {
    const granted = grantedOnly(permissions, searched)
    return { count: granted.length, at: (index) => granted[index] }
  }
  const permissionsByUid = new Map(permissions.map((permission) => [permission.uid, permission]))
  return {
    count: listing?.total ?? 0,
    at(index) {
      const stream = listing === null ? undefined : streamAt(listing, index)
      return stream === undefined ? undefined : permissionOf(permissionsByUid, stream)
    },
  }
}
