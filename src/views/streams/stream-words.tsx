import { useLingui } from '@lingui/react/macro'
import type { Stream } from '../../api/contract/stream.ts'

/** The word for each status; a server's own status is shown as it is. */
export function useStatusWord(): (status: string) => string {
  const { t } = useLingui()
  return (status) => {
    switch (status) {
      case 'running':
        return t`Running`
      case 'pending':
        return t`Starting`
      case 'idle':
        return t`On demand, idle`
      case 'paused':
        return t`Paused`
      case 'failed':
        return t`Failed`
      default:
        return status === '' ? t`Unknown` : status
    }
  }
}

/** The colour of a stream's mark; only what is plainly a colour is taken from the wire. */
export const markerColour = ({ meta: { marker } }: Pick<Stream, 'meta'>): string | undefined =>
  /^(#[0-9a-f]{3,8}|[a-z]{3,30})$/i.test(marker) ? marker : undefined

export const displayName = ({ name, uid }: Pick<Stream, 'name' | 'uid'>): string => (name.trim() === '' ? uid : name)
